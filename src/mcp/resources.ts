// Pages as resources: `palimpsest://<site>/<path>`, listed part by part over all sites that the key sees, and read as HTML.

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { oneLine } from './text/untrusted-text.js'
import { type AskApi, ApiFailure, sendRequest } from './ask-api.js'

const SCHEME = 'palimpsest:'
const PAGES_PER_PART = 100

export const RESOURCE_TEMPLATE = {
  uriTemplate: 'palimpsest://{site}/{+path}',
  name: 'page',
  title: 'Page',
  description: "The HTML of a published page: a site's slug and the page's path, percent-encoded.",
  mimeType: 'text/html',
} as const

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

interface Place {
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
  const place = readCursor(cursor)
  const sites = await listSites(ask, signal)
  const site = sites[place.site]
  if (site === undefined) return { resources: [] }
  const query = { limit: PAGES_PER_PART, ...(place.cursor !== undefined && { cursor: place.cursor }) }
  const { data, nextCursor } = await get(ask, '/pages', { site, query }, signal)
  const next =
    nextCursor === null ? { site: place.site + 1, cursor: undefined } : { site: place.site, cursor: nextCursor }
  return {
    resources: (data as Page[]).map((page) => toResource(site, page)),
    ...(next.site < sites.length && { nextCursor: writeCursor(next) }),
  }
}

/** Throws ResourceNotFoundError where there is no published page. */
export async function readResource(ask: AskApi, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  const { slug, path } = parseUri(uri)
  const site = (await listSites(ask, signal)).find((known) => known.slug === slug)
  if (site === undefined) throw new ResourceNotFoundError(uri)
  const { data } = await get(ask, '/pages', { site, query: { path } }, signal)
  const [found] = data as Page[]
  if (found === undefined) throw new ResourceNotFoundError(uri)
  const page = await get(ask, '/pages/{id}', { site, path: { id: found.id } }, signal)
  return { contents: [{ uri, mimeType: 'text/html', text: (page.data as Page).html ?? '' }] }
}

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

function parseUri(uri: string): { slug: string; path: string } {
  const [, slug, path] = /^palimpsest:\/\/([^/?#]+)(\/[^?#]*)$/.exec(uri) ?? []
  try {
    if (slug !== undefined && path !== undefined) return { slug, path: decodeURI(path) }
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
  { site, query = {}, path: parts = {} }: { site?: Site; query?: object; path?: object },
  signal: AbortSignal,
): Promise<{ data: unknown; nextCursor: string | null }> {
  const header = site === undefined ? {} : { 'x-service-site-id': site.id }
  const params = { header, path: { ...parts }, query: { ...query } }
  try {
    return await sendRequest(ask, { method: 'get', path, params }, signal)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { code, message, requestId } = error.failure
    if (code === 'invalid_cursor') throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, { code, requestId })
  }
}

function writeCursor({ site, cursor }: Place): string {
  return Buffer.from(JSON.stringify([site, cursor ?? null])).toString('base64url')
}

function readCursor(text: string | undefined): Place {
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
