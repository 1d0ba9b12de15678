// Offers pages and text files as resources: `palimpsest://<site>/<path>`. They are read within the bound of a tool's answer;
// `?chars=16001-` reads on, and `maxTokens=` sets another bound. The pages are listed part by part over all sites that the key sees.

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { fittingEnd, partOf } from '../../model/text-parts.js'
import { boundOf } from './text/bound.js'
import { oneLine } from './text/untrusted-text.js'
import { type AskApi, ApiFailure, sendRequest } from './ask-api.js'

const SCHEME = 'palimpsest:'
/** Most pages in one part; fewer if their paths are long. */
const PAGES_PER_PART = 50

export const RESOURCE_TEMPLATE = {
  uriTemplate: 'palimpsest://{site}/{+path}{?chars,maxTokens}',
  name: 'page',
  title: 'Page or text file',
  description: "The HTML of a published page, or the text of a file: a site's slug and the path, percent-encoded.",
} as const

const RANGE = /^[1-9][0-9]{0,8}-([1-9][0-9]{0,8})?$/
const MAX_URI_CHARACTERS = 500
/** Bytes of the sentence about the rest of the text. */
const MAX_GO_ON_BYTES = 800

interface Site {
  id: string
  slug: string
}

interface Page {
  id: string
  path: string
  title: string | null
  size: number
  updatedAt: string
  html?: string
}

interface Position {
  /** The index, in the list of sites, of the site whose pages come next. */
  site: number
  cursor: string | undefined
}

/** Throws ProtocolError for a cursor that this list did not give, and for refusals of the API. */
export async function listResources(
  ask: AskApi,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const position = readCursor(cursor)
  const sites = await listSites(ask, signal)
  const site = sites[position.site]
  if (site === undefined) return { resources: [] }
  const query = (limit: number) => ({ limit, ...(position.cursor !== undefined && { cursor: position.cursor }) })
  let part = await get(ask, '/pages', { site, query: query(PAGES_PER_PART) }, signal)
  let resources = (part.data as Page[]).map((page) => toResource(site, page))
  const fitting = countFitting(resources, boundOf(undefined))
  if (fitting < resources.length) {
    part = await get(ask, '/pages', { site, query: query(fitting) }, signal)
    resources = resources.slice(0, fitting)
  }
  const { nextCursor } = part
  const next =
    nextCursor === null ? { site: position.site + 1, cursor: undefined } : { site: position.site, cursor: nextCursor }
  return { resources, ...(next.site < sites.length && { nextCursor: writeCursor(next) }) }
}

/** Counts the resources that fit, at least one. */
function countFitting(resources: readonly object[], bytes: number): number {
  let left = bytes
  const over = resources.findIndex((resource) => (left -= Buffer.byteLength(JSON.stringify(resource))) < 0)
  return over < 0 ? resources.length : Math.max(1, over)
}

/** Throws ResourceNotFoundError if there is no published page and no file, and ProtocolError for a file that is no text. */
export async function readResource(ask: AskApi, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  const { slug, path, wishes } = parseUri(uri)
  const site = (await listSites(ask, signal)).find((known) => known.slug === slug)
  if (site === undefined) throw new ResourceNotFoundError(uri)
  const { data } = await get(ask, '/pages', { site, query: { path } }, signal)
  const [found] = data as Page[]
  if (found === undefined) return { contents: await readFile(ask, uri, { site, path, wishes }, signal) }
  const page = await get(ask, '/pages/{id}', { site, path: { id: found.id } }, signal)
  return { contents: boundedContents(uri, { mimeType: 'text/html', text: (page.data as Page).html ?? '' }, wishes) }
}

async function readFile(
  ask: AskApi,
  uri: string,
  { site, path, wishes }: { site: Site; path: string; wishes: URLSearchParams },
  signal: AbortSignal,
): Promise<ReadResourceResult['contents']> {
  const { data } = await get(ask, '/files/text', { site, query: { path }, uri }, signal)
  const { content, mediaType } = data as { content: string; mediaType: string }
  // A name without an extension, such as `_redirects`, does not tell the media type; the bytes are text.
  const mimeType = mediaType === 'application/octet-stream' ? 'text/plain' : mediaType
  return boundedContents(uri, { mimeType, text: content }, wishes)
}

/** Returns the text that fits and, if there is more, a second content that says how to go on. */
function boundedContents(
  uri: string,
  { mimeType, text: whole }: { mimeType: string; text: string },
  wishes: URLSearchParams,
): ReadResourceResult['contents'] {
  const { text: wanted, characters } = partOf(whole, { chars: wishes.get('chars') ?? undefined })
  const bytes = boundOf(Number(wishes.get('maxTokens') ?? Number.NaN))
  const text = wanted.slice(0, fittingEnd(wanted, bytes - MAX_GO_ON_BYTES))
  const content = { uri, mimeType, text }
  const to = characters.from + text.length - 1
  if (to >= characters.total) return [content]
  const next = `${uri.replace(/\?.*$/, '')}?chars=${to + 1}-`
  const said = `Characters ${characters.from}-${to} of ${characters.total}. The next: ${next.length > MAX_URI_CHARACTERS ? `chars=${to + 1}-` : next}`
  return [content, { uri: next, mimeType: 'text/plain', text: said }]
}

/** Codes that refuse a path at which no file is, or can be. */
const NO_FILE = new Set(['file_not_found', 'invalid_path'])

function toResource({ slug }: Site, { path, title, size, updatedAt }: Page): ListResourcesResult['resources'][number] {
  return {
    uri: `${SCHEME}//${slug}${encodeURI(path)}`,
    name: path,
    ...(title !== null && title !== '' && { title: oneLine(title) }),
    mimeType: 'text/html',
    size,
    annotations: { lastModified: updatedAt },
  }
}

function parseUri(uri: string): { slug: string; path: string; wishes: URLSearchParams } {
  const [, slug, path, query = ''] = /^palimpsest:\/\/([^/?#]+)(\/[^?#]*)(\?[^#]*)?$/.exec(uri) ?? []
  const wishes = new URLSearchParams(query)
  const isRange = RANGE.test(wishes.get('chars') ?? '1-')
  try {
    if (slug !== undefined && path !== undefined && isRange) return { slug, path: decodeURI(path), wishes }
  } catch {
    // Malformed escapes: there is no such resource.
  }
  throw new ResourceNotFoundError(uri)
}

async function listSites(ask: AskApi, signal: AbortSignal): Promise<Site[]> {
  return (await get(ask, '/sites', { query: { limit: 1000 } }, signal)).data as Site[]
}

async function get(
  ask: AskApi,
  path: string,
  { site, query = {}, path: parts = {}, uri }: { site?: Site; query?: object; path?: object; uri?: string },
  signal: AbortSignal,
): Promise<{ data: unknown; nextCursor: string | null }> {
  const header = site === undefined ? {} : { 'x-service-site-id': site.id }
  const params = { header, path: { ...parts }, query: { ...query } }
  try {
    return await sendRequest(ask, { method: 'get', path, params }, signal)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { code, message, requestId } = error.failure
    if (uri !== undefined && NO_FILE.has(code)) throw new ResourceNotFoundError(uri)
    if (code === 'invalid_cursor' || code === 'not_text')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, { code, requestId })
  }
}

function writeCursor({ site, cursor }: Position): string {
  return Buffer.from(JSON.stringify([site, cursor ?? null])).toString('base64url')
}

function readCursor(text: string | undefined): Position {
  if (text === undefined) return { site: 0, cursor: undefined }
  try {
    const [site, cursor] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown]
    if (Number.isSafeInteger(site) && (cursor === null || typeof cursor === 'string')) {
      return { site: site as number, cursor: cursor ?? undefined }
    }
  } catch {
    // Not JSON: refused below.
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This list did not give that cursor: start again without one.',
  )
}
