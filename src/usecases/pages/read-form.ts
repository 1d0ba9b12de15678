// Reads a page's content in the form and the part that a request wants.

import type { ContentQuery } from '../../../schemas/content.js'
import type { DocumentWishes, ReadDocument } from '../../texts/documents/read-document.js'
import { ServiceError } from '../../model/errors.js'
import { partOf, type PartWishes, type Range } from '../../model/text-parts.js'
import type { Matches } from '../../texts/find-places.js'
import type { AtSite } from '../context/call.js'
import type { LongField } from '../context/result.js'

/** The fields of an answer that hold content. */
interface ContentFields {
  html?: string
  as?: NonNullable<ContentQuery['as']>
  content?: string
  found?: { from: number; to: number }[]
  matches?: Matches
  lines?: Range
  characters?: Range
}

export interface Content {
  fields: ContentFields
  /** The content field that `fields` lacks, because it is long. */
  long?: LongField
}

/** Size up to which the serving thread reads and cuts a text and turns it into JSON, within a few milliseconds. */
export const MAX_SHORT_BYTES = 256 * 1024

/** Throws `invalid_query` for wishes that exclude each other, `part_not_found`, `too_costly`, `queue_full`. */
export async function readForm(
  call: AtSite<'forms' | 'limits' | 'store' | 'tasks'>,
  blob: string,
  query: ContentQuery,
): Promise<Content> {
  const { as = 'html', heading, selector, find, pattern, lines, chars } = query
  refuseBoth({ lines, chars, find, pattern })
  refuseBoth({ heading, selector, find, pattern })
  const wishes = { as, heading, selector, find, pattern }
  const part = { lines, chars }
  const isPart = (lines ?? chars) !== undefined
  const isLong = (find ?? pattern) === undefined && call.store.reader.snapshot(call.site).size(blob) > MAX_SHORT_BYTES
  if (isLong) return await readLong(call, { blob, wishes, part }, isPart)
  const { content, found, matches } = await read(call, blob, wishes)
  if (matches !== undefined) return { fields: { ...(as !== 'html' && { as }), matches } }
  const { text, ...ranges } = partOf(content, part)
  const fields = { ...(found && { found }), ...(isPart && ranges) }
  return { fields: as === 'html' ? { html: text, ...fields } : { as, content: text, ...fields } }
}

/** Reads the content of a long page, which a task makes into JSON. */
async function readLong(
  call: AtSite<'limits' | 'store' | 'tasks'>,
  asked: { blob: string; wishes: DocumentWishes; part: PartWishes },
  isPart: boolean,
): Promise<Content> {
  const { site } = call
  const { as } = asked.wishes
  const input = { source: call.store.sourceOf(site), maxBytes: call.limits.maxHtmlBytes, ...asked }
  const { json, found, ...ranges } = await call.tasks.run('readPart', input, site)
  const fields = { ...(as !== 'html' && { as }), ...(found && { found }), ...(isPart && ranges) }
  return { fields, long: { name: as === 'html' ? 'html' : 'content', json: Buffer.from(json) } }
}

async function read(
  call: AtSite<'forms' | 'store' | 'tasks'>,
  blob: string,
  wishes: DocumentWishes,
): Promise<ReadDocument> {
  const { site } = call
  const { as } = wishes
  const isWhole = Object.values({ ...wishes, as: undefined }).every((wish) => wish === undefined)
  if (isWhole && as === 'html') return { content: call.store.reader.snapshot(site).blob(blob).toString() }
  const known = isWhole ? call.forms.get(`${blob} ${as}`) : undefined
  if (known !== undefined) return { content: known }
  const source = call.store.sourceOf(site)
  const result = await call.tasks.run('readDocument', { source, blob, wishes }, site)
  if (isWhole) call.forms.set(`${blob} ${as}`, result.content)
  return result
}

/** Throws `invalid_query`. */
export function refuseBoth(wishes: Readonly<Record<string, string | undefined>>): void {
  const given = Object.keys(wishes).filter((name) => wishes[name] !== undefined)
  if (given.length > 1) throw new ServiceError('invalid_query', `Send ${given.join(' or ')}, not both.`)
}
