// A site's history as the index is told it: commits written as changes of files, with the facts a tree diff would give.

import { createHash } from 'node:crypto'
import { type CommitFacts, type DocumentHead, NO_HEAD } from '../../src/model/commits/facts.js'
import { isFilePath } from '../../src/model/paths/file-path.js'
import { pagePathOf, parsePagePath } from '../../src/model/paths/page-path.js'
import { readHead } from '../../src/repository/format/document-head.js'

export const SITE = '5b2c6a1e-0d3f-4c55-9b6a-1f2e3d4c5b6a'

export interface Change {
  subject?: string
  author?: string
  trailers?: Record<string, string>
  maker?: string
  /** Html by tree path; null removes. */
  files?: Record<string, string | null>
  sidecars?: Record<string, { path: string; title?: string; isTitleMarked?: boolean; templateId?: string } | null>
  collections?: Record<string, { name: string; schema?: object } | null>
  /** Data by collection id and record id. */
  records?: Record<string, Record<string, Record<string, unknown> | null>>
}

export class SiteHistory {
  readonly facts: CommitFacts[] = []
  /** The tree as it is now: oid of the html by tree path. */
  readonly files = new Map<string, string>()
  #texts = new Map<string, string>()

  /** The parts of a blob that the index reads. */
  readonly read = {
    readHead: (blob: string): DocumentHead => {
      const html = this.#texts.get(blob)
      return html === undefined ? NO_HEAD : readHead(Buffer.from(html))
    },
  }

  /** Adds a commit; its time is 100 seconds after the one before. */
  commit(change: Change): CommitFacts {
    const number = this.facts.length + 1
    const subject = change.subject ?? `Change ${number}`
    const fact: CommitFacts = {
      oid: oidOf(`commit ${number}`),
      parent: this.facts.at(-1)?.oid ?? null,
      time: number * 100,
      author: change.author ?? 'Olga Operator',
      subject,
      message: subject,
      trailers: change.trailers ?? {},
      maker: change.maker ?? null,
      verified: change.maker === undefined ? 'none' : 'service',
      removedFiles: Object.entries(change.files ?? {}).flatMap(([treePath, html]) => (html === null ? [treePath] : [])),
      pageFiles: Object.entries(change.files ?? {}).flatMap(([treePath, html]) => this.#changeFile(treePath, html)),
      files: Object.entries(change.files ?? {})
        .filter(([treePath]) => isFilePath(treePath))
        .map(([treePath, text]) => ({
          treePath,
          before:
            this.facts.flatMap(({ files }) => files).findLast((file) => file.treePath === treePath)?.after?.oid ?? null,
          after: text === null ? null : { oid: oidOf(text), size: text.length },
        })),
      sidecars: Object.entries(change.sidecars ?? {}).map(([pageId, sidecar]) => ({
        pageId,
        sidecar: sidecar && {
          path: parsePagePath(sidecar.path),
          title: sidecar.title ?? null,
          isTitleMarked: sidecar.isTitleMarked ?? true,
          templateId: sidecar.templateId ?? null,
        },
      })),
      collections: Object.entries(change.collections ?? {}).map(([collectionId, definition]) => ({
        collectionId,
        definition: definition && { schema: null, ...definition, oid: oidOf(JSON.stringify(definition)) },
      })),
      records: Object.entries(change.records ?? {}).flatMap(([collectionId, records]) =>
        Object.entries(records).map(([recordId, data]) => ({
          collectionId,
          recordId,
          data,
          oid: data && oidOf(JSON.stringify(data)),
          size: data === null ? 0 : JSON.stringify(data).length,
        })),
      ),
    }
    this.facts.push(fact)
    return fact
  }

  #changeFile(treePath: string, html: string | null): CommitFacts['pageFiles'] {
    const before = this.files.get(treePath) ?? null
    const oid = html === null ? null : oidOf(html)
    if (before === oid) return []
    if (oid === null || html === null) this.files.delete(treePath)
    else {
      this.files.set(treePath, oid)
      this.#texts.set(oid, html)
    }
    const after = oid === null || html === null ? null : { oid, size: Buffer.byteLength(html) }
    return [{ treePath, path: pagePathOf(treePath), before, after }]
  }
}

export function oidOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
