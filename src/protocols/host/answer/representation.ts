// Prepares an answer's fields, everything but the body, once for all requests of the same target.

import type { Coding } from '../../http/accept-encoding.js'
import { bodyKeyOf } from './bodies.js'
import { isCompressible, MIN_COMPRESSED_BYTES } from '../../http/compression.js'
import { entityTagOf } from '../../http/entity-tag.js'
import { toHttpDate } from '../../http/http-date.js'
import { isZippedDrawing, mediaTypeOf } from '../../../model/media-type.js'
import type { FileFacts } from '../../../indexing/last-changes.js'
import { ISOLATION } from './plain-page.js'
import type { SiteView } from '../views/site-view.js'
import { withoutFrameRules } from './without-frame-rules.js'

/** Caches may store a page but must revalidate it each time, so that a change is visible at once. */
export const REVALIDATE = 'public, max-age=0, must-revalidate'

/** Denies pages of other origins a handle on this page's window (HTML §7.1.3). `_headers` can set another policy. */
const OPENER_POLICY = 'same-origin-allow-popups'

type Fields = Readonly<Record<string, string>>
type ViewFields = Pick<SiteView, 'fields' | 'links' | 'isShownInFrames'>

/** The content served at a target: a file of the tree, or a file generated from the tree. */
export interface Content {
  siteId: string
  treePath: string
  oid: string
  status: number
  /** By lower-case name. */
  fields: Fields
  size: number
}

/** One coding of the content. */
export interface Representation {
  tag: string
  /** The key of the body in `Bodies`. */
  bodyKey: string
  /** Names and values in turn, as `writeHead` takes them, for the complete body. */
  head: string[]
}

export class PreparedAnswer {
  readonly content: Content
  /** Whether the index had not yet reached the view's commit. */
  readonly isProvisional: boolean
  /** Fields of every answer of the view. */
  readonly viewFields: Fields
  readonly isCompressible: boolean
  /** Seconds. */
  readonly lastModified: number | undefined
  /** Fields of every representation, by lower-case name. */
  readonly fields: Fields
  readonly #notSmaller = new Set<Coding>()
  readonly #representations: Partial<Record<Coding, Representation>> = {}
  readonly #unmodifiedHeads: Partial<Record<Coding, string[]>> = {}

  /** `largestEncoded`: the size in bytes above which content is not compressed. `now` in seconds. */
  constructor(view: ViewFields, target: string, content: Content, options: PrepareOptions) {
    const { largestEncoded, now } = options
    const facts = options.facts === 'unknown' ? undefined : options.facts
    const type = content.fields['content-type'] ?? mediaTypeOf(content.treePath)
    this.content = content
    this.isProvisional = options.facts === 'unknown'
    this.viewFields = joinFields(view, target, {})
    const isZipped = isZippedDrawing(content.treePath, type)
    const isCoded = isZipped || content.fields['content-encoding'] !== undefined
    this.isCompressible =
      !isCoded && isCompressible(type) && content.size >= MIN_COMPRESSED_BYTES && content.size <= largestEncoded
    // The clock of a pushed commit may be ahead of ours; a date in the future is not sent.
    const isKnown = content.status === 200 && facts !== undefined && facts.changedAt <= now
    this.lastModified = isKnown ? facts.changedAt : undefined
    const vary = joinList(options.vary, this.isCompressible ? 'Accept-Encoding' : '', view.fields['vary'])
    this.fields = {
      'cache-control': REVALIDATE,
      'content-type': type,
      ...(isZipped && { 'content-encoding': 'gzip' }),
      'cross-origin-opener-policy': OPENER_POLICY,
      ...joinFields(view, target, content.fields),
      ...(facts?.pageId && { 'cache-tag': joinList(view.fields['cache-tag'], `page-${facts.pageId}`) }),
      ...(vary !== '' && { vary }),
      ...(content.status === 200 && { 'accept-ranges': 'bytes' }),
      ...(this.lastModified !== undefined && { 'last-modified': toHttpDate(this.lastModified) }),
    }
  }

  /** Returns the coding for a visitor who prefers `coding`: identity if compression does not help. */
  codingFor(coding: Coding): Coding {
    return this.isCompressible && !this.#notSmaller.has(coding) ? coding : 'identity'
  }

  /** Notes that the coding saves nothing, so that it is never used again. */
  ruleOut(coding: Coding): void {
    this.#notSmaller.add(coding)
  }

  /** Returns the entity tag of the content in a coding, even before that coding is made. */
  tagOf(coding: Coding): string {
    return this.#representations[coding]?.tag ?? entityTagOf(this.content.oid, coding)
  }

  /** Returns the representation, or undefined until `make` has made it. */
  known(coding: Coding): Representation | undefined {
    return this.#representations[coding]
  }

  /** Makes a representation. `length`: bytes of the body in this coding. */
  make(coding: Coding, length: number): Representation {
    const tag = this.tagOf(coding)
    const fields = { ...this.fields, ...this.#representationFields(coding), 'content-length': String(length) }
    const made = { tag, bodyKey: bodyKeyOf(this.content.siteId, tag), head: Object.entries(fields).flat() }
    this.#representations[coding] = made
    return made
  }

  /** Fields of a 304: those of the representation without the ones that describe a body (RFC 9110 §15.4.5). */
  unmodifiedHead(coding: Coding): string[] {
    return (this.#unmodifiedHeads[coding] ??= this.#makeUnmodifiedHead(coding))
  }

  #makeUnmodifiedHead(coding: Coding): string[] {
    const kept = Object.entries(this.fields).filter(([name]) => !DESCRIBES_BODY.test(name))
    return [...kept, ['etag', this.tagOf(coding)]].flat()
  }

  /** Fields of a 206 with the identity bytes from `start` (inclusive) to `end` (exclusive). */
  partialHead(start: number, end: number): string[] {
    const fields = {
      ...this.fields,
      ...this.#representationFields('identity'),
      'content-range': `bytes ${start}-${end - 1}/${this.content.size}`,
      'content-length': String(end - start),
    }
    return Object.entries(fields).flat()
  }

  #representationFields(coding: Coding): Fields {
    const encoding: Fields = coding === 'identity' ? {} : { 'content-encoding': coding }
    return this.content.status === 200 ? { etag: this.tagOf(coding), ...encoding } : encoding
  }
}

export interface PrepareOptions {
  /** `unknown` until the index reaches the view's commit; undefined where no index is asked. */
  facts: FileFacts | 'unknown' | undefined
  largestEncoded: number
  now: number
  /** The request field that selected this content among others of the same URL. */
  vary?: 'Accept'
}

const DESCRIBES_BODY = /^(?:content-(?!security-policy|location)|last-modified$|accept-ranges$)/

/** Joins the fields of an answer. The view's fields override the site's own; fields that no rule may change override both. */
export function joinFields(view: ViewFields, target: string, ruled: Fields): Fields {
  const fields = view.isShownInFrames === true ? withoutFrameRules(ruled) : ruled
  const links = joinList(fields['link'], view.links?.(target))
  // In a list of policies each policy applies (CSP §2.2).
  const policies = joinList(fields['content-security-policy'], view.fields['content-security-policy'])
  return {
    ...fields,
    ...view.fields,
    ...(links !== '' && { link: links }),
    ...(policies !== '' && { 'content-security-policy': policies }),
    ...ISOLATION,
  }
}

function joinList(...values: (string | undefined)[]): string {
  return values.filter((value) => value !== undefined && value !== '').join(', ')
}
