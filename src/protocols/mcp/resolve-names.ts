// Turns names into ids. An agent may name a page by its path, a collection by its name, a site by its slug, a change request by its number.

import { isUuid } from '../../model/ids.js'
import { type AskApi, ApiFailure, sendRequest } from './ask-api.js'
import type { Tool } from './tools/tool.js'
import { isOfSite, type Named } from './tools/tool-schemas.js'

/** The ids of the workspace, site and change request in which to look a name up; without a site, the default one. */
export interface Target {
  accountId?: string
  siteId?: string
  changeRequest?: string | undefined
}

type Fields = Record<string, unknown>

const NAMES: Readonly<Record<Named, string>> = {
  page: 'path',
  collection: 'name',
  site: 'slug',
  changeRequest: 'number',
}

interface Entry {
  id: string
  name?: string
  slug?: string
  url?: string
}

/** Returns the arguments of a call with names turned into ids. Throws ApiFailure if a name fits nothing, or more than one thing. */
export async function resolveNames(ask: AskApi, tool: Tool, given: Fields, signal: AbortSignal): Promise<Fields> {
  const named = await targetOf(ask, given, signal)
  const needsSite = isOfSite(tool.operation) && tool.definition.target === 'site' && named.siteId === undefined
  const at = needsSite ? { ...named, siteId: await findDefaultSite(ask, named, signal) } : named
  const { changeRequest } = given
  const target: Target =
    typeof changeRequest === 'string'
      ? { ...at, changeRequest: await idOf(ask, 'changeRequest', changeRequest, at, signal) }
      : at
  const resolved: Fields = { ...given, ...target }
  for (const [name, { names, place }] of tool.arguments) {
    const value = given[name]
    if (names === undefined || place !== 'path' || typeof value !== 'string') continue
    resolved[name] = await idOf(ask, names, value, target, signal)
  }
  return resolved
}

/** Returns the id of the thing that `value` names; an id stays as it is. Throws ApiFailure. */
export async function idOf(
  ask: AskApi,
  named: Named,
  value: string,
  target: Target,
  signal: AbortSignal,
): Promise<string> {
  if (isUuid(value)) return value
  if (named === 'changeRequest') return await requestIdOf(ask, value, target, signal)
  if (named === 'site') return (await findSite(ask, value, target, signal)).id
  const found =
    named === 'page'
      ? await findPages(ask, value, target, signal)
      : (await list(ask, '/collections', target, signal)).filter(({ name }) => name === value)
  if (named === 'page' && found.length === 0 && (await isFile(ask, value, target, signal))) throw fileAtPath(value)
  return single(found, named, value).id
}

/** Finds the pages, at most one, that a path or the URL of a page names. A slash at the end makes no difference. */
async function findPages(ask: AskApi, value: string, target: Target, signal: AbortSignal): Promise<Entry[]> {
  const path = pathIn(value)
  const at = async (one: string) =>
    await list(ask, '/pages', target, signal, { path: one, status: 'all', ...inRequest(target) })
  const found = await at(path)
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const pages = found.length > 0 || other === '' || path === '' ? found : await at(other)
  return path === value ? pages : pages.filter(({ url }) => url !== undefined && isSameHost(url, value))
}

/** Returns the path of a URL; any other text as it is. */
function pathIn(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return value
  const { pathname } = new URL(value)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

function isSameHost(url: string, other: string): boolean {
  return new URL(url).host === new URL(other).host
}

/** Returns the id of the request with a number, such as `7` or `#7`; `new` stays. */
async function requestIdOf(ask: AskApi, value: string, target: Target, signal: AbortSignal): Promise<string> {
  if (value === 'new') return value
  const id = target.siteId ?? (await findDefaultSite(ask, target, signal))
  const query = { number: Number(value.replace('#', '')), state: 'all', limit: 1 }
  const params = { header: headerOf(target), path: { id }, query }
  const { data } = await sendRequest(ask, { method: 'get', path: '/sites/{id}/change-requests', params }, signal)
  return single(data as Entry[], 'changeRequest', value).id
}

/** Returns the parameter for look-ups in the change request; a new one has what is live. */
function inRequest({ changeRequest }: Target): Fields {
  return changeRequest === undefined || changeRequest === 'new' ? {} : { changeRequest }
}

/** Returns `accountId` and `siteId` of a call as ids. Throws ApiFailure. */
export async function targetOf(ask: AskApi, given: Fields, signal: AbortSignal): Promise<Target> {
  const { accountId, siteId } = given as Target
  const target = { ...(accountId !== undefined && { accountId }) }
  if (siteId === undefined) return target
  if (isUuid(siteId)) return { ...target, siteId }
  const { id, workspaceId } = await findSite(ask, siteId, target, signal)
  return { accountId: workspaceId, siteId: id }
}

/** Finds a site by its slug. Slugs are unique in the service, so this also finds a site of another workspace that the key can reach. */
async function findSite(
  ask: AskApi,
  slug: string,
  { accountId }: Target,
  signal: AbortSignal,
): Promise<{ id: string; workspaceId: string }> {
  const accounts =
    accountId === undefined ? (await list(ask, '/accounts', {}, signal)).map(({ id }) => id) : [accountId]
  for (const workspaceId of accounts) {
    const sites = await list(ask, '/sites', { accountId: workspaceId }, signal)
    const site = sites.find((known) => known.slug === slug)
    if (site !== undefined) return { id: site.id, workspaceId }
  }
  throw notFound('site', slug)
}

/** Finds the site that the API takes if a request names none. */
export async function findDefaultSite(ask: AskApi, target: Target, signal: AbortSignal): Promise<string> {
  const params = { header: headerOf(target), path: {}, query: {} }
  const { data } = await sendRequest(ask, { method: 'get', path: '/me', params }, signal)
  const { key, workspace } = data as { key: { sites: string[] | null }; workspace: { defaultSiteId: string | null } }
  const { defaultSiteId } = workspace
  if (defaultSiteId !== null && key.sites?.includes(defaultSiteId) !== false) return defaultSiteId
  const [only, ...others] = await list(ask, '/sites', target, signal)
  if (only !== undefined && others.length === 0) return only.id
  throw new ApiFailure({ code: 'site_not_found', message: 'The key does not see the default site: pass siteId.' })
}

export function headerOf({ accountId, siteId }: Target): Fields {
  return {
    ...(accountId !== undefined && { 'x-service-account-id': accountId }),
    ...(siteId !== undefined && { 'x-service-site-id': siteId }),
  }
}

/** Reads all entries of a list. */
async function list(
  ask: AskApi,
  path: string,
  target: Target,
  signal: AbortSignal,
  query: Fields = {},
): Promise<Entry[]> {
  const header = headerOf(target)
  const entries: Entry[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const params = { header, path: {}, query: { ...query, limit: 1000, ...(cursor !== undefined && { cursor }) } }
    const { data, nextCursor } = await sendRequest(ask, { method: 'get', path, params }, signal)
    entries.push(...(data as Entry[]))
    cursor = nextCursor
  }
  return entries
}

function single(found: readonly Entry[], named: Named, value: string): Entry {
  const [one, other] = found
  if (one === undefined) throw notFound(named, value)
  if (other === undefined) return one
  const message = `More than one ${named} is called ${JSON.stringify(value)}: use an id.`
  throw new ApiFailure({ code: 'ambiguous_id', message, details: { ids: found.map(({ id }) => id) } })
}

async function isFile(ask: AskApi, path: string, target: Target, signal: AbortSignal): Promise<boolean> {
  try {
    return (await list(ask, '/files', target, signal, { path, ...inRequest(target) })).length > 0
  } catch (error) {
    // A text that cannot be a file's path is reported as no page's path.
    if (error instanceof ApiFailure) return false
    throw error
  }
}

function fileAtPath(path: string): ApiFailure {
  const message = `There is no page with this path: ${JSON.stringify(path)}. It is a file.`
  const next = 'Read it with get_file, and change it with edit_file.'
  return new ApiFailure({ code: 'page_not_found', message, next })
}

function notFound(named: Named, value: string): ApiFailure {
  const words = named.replace('R', ' r')
  const message = `There is no ${words} with this ${NAMES[named]}: ${JSON.stringify(value)}.`
  return new ApiFailure({ code: `${words.replace(' ', '_')}_not_found`, message })
}
