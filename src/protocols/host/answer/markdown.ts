// Serves pages as Markdown: decides which requests get it, and caches its bytes by the oid of the page.

import { LRUCache } from 'lru-cache'
import { prefersNamed } from '../../http/accept.js'
import { pagePathOf, urlPathOf } from '../../../model/paths/page-path.js'
import type { SiteView } from '../views/site-view.js'
import type { Content } from './representation.js'

/** Reads the Markdown of a page. Rejects if that takes too long, or if too many requests wait. */
export type ReadMarkdown = (view: Pick<SiteView, 'site' | 'commit'>, oid: string) => Promise<string>

/** A part of the entity tag. Increase its number with each change of the conversion. */
const FORM = 'md1'
const KEPT_BYTES = 16 * 1024 * 1024

export function prefersMarkdown(accept: string | undefined): boolean {
  return prefersNamed(accept, 'text/markdown', 'text/html')
}

/** Whether the file is a page that the view shows as Markdown too. */
export function hasMarkdown(view: SiteView, { treePath, status }: Pick<Content, 'treePath' | 'status'>): boolean {
  return view.markdown === true && status === 200 && pagePathOf(treePath) !== undefined
}

export class MarkdownPages {
  readonly #read: ReadMarkdown
  readonly #kept = new LRUCache<string, Buffer>({ maxSize: KEPT_BYTES, sizeCalculation: ({ length }) => length + 100 })
  /** Conversions under way, so that concurrent requests share one. */
  readonly #reading = new Map<string, Promise<Buffer | undefined>>()

  constructor(read: ReadMarkdown) {
    this.#read = read
  }

  /** Resolves to undefined if there is no Markdown at the moment; the caller then sends the HTML. */
  async bytesOf(view: SiteView, oid: string): Promise<Buffer | undefined> {
    const key = `${view.site.id} ${oid}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const reading = this.#reading.get(key) ?? this.#make(view, oid, key)
    this.#reading.set(key, reading)
    try {
      return await reading
    } finally {
      this.#reading.delete(key)
    }
  }

  async #make(view: SiteView, oid: string, key: string): Promise<Buffer | undefined> {
    try {
      const bytes = Buffer.from(await this.#read(view, oid))
      this.#kept.set(key, bytes)
      return bytes
    } catch {
      return undefined
    }
  }
}

/** The content of the Markdown variant, with its own entity tag. `noindex` makes search engines list the page instead. */
export function markdownContent(page: Content, bytes: Buffer): Content {
  const path = pagePathOf(page.treePath)
  const link = path === undefined ? {} : { link: `<${urlPathOf(path)}>; rel="canonical"` }
  const fields = { ...page.fields, ...link, 'content-type': 'text/markdown; charset=utf-8', 'x-robots-tag': 'noindex' }
  return { ...page, oid: `${page.oid}-${FORM}`, size: bytes.length, fields }
}
