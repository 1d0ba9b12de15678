// A client of the API: `createClient({ baseUrl, key })` gives typed `GET`, `PUT`, … for each path of the route table.

import createFetchClient, { type Client } from 'openapi-fetch'
import type { Filter, Paths } from './paths.js'

export type { DataOf, Filter, Paths } from './paths.js'
export { dataOf, entriesOf, Refusal } from './refusal.js'

export interface ClientOptions {
  /** Where the service is, as its BASE_URL says: `http://localhost:8080`. */
  baseUrl: string
  /** An API key. */
  key: string
  /** The workspace that requests are about; default: the key's own. */
  workspaceId?: string
  /** The site that requests are about; default: the default site of the workspace. */
  siteId?: string
  /** Used for every request in the place of the global one. */
  fetch?: (request: Request) => Promise<Response>
}

export type ApiClient = Client<Paths, 'application/json'>

/**
 * Paths are below `/api/v1`. Each call resolves with `data` (the answer's body) or `error` (a refusal's), and `response`;
 * it rejects as `fetch` does when there is no answer. `dataOf` and `entriesOf` give what is inside, or throw `Refusal`.
 */
export function createClient({ baseUrl, key, workspaceId, siteId, fetch }: ClientOptions): ApiClient {
  return createFetchClient<Paths, 'application/json'>({
    baseUrl: `${baseUrl.replace(/\/+$/, '')}/api/v1`,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(workspaceId !== undefined && { 'x-service-account-id': workspaceId }),
      ...(siteId !== undefined && { 'x-service-site-id': siteId }),
    },
    querySerializer: serializeQuery,
    ...(fetch && { fetch }),
  })
}

/** As the API reads it: `filter` in brackets, everything else by its name. */
function serializeQuery(query: Record<string, unknown>): string {
  const { filter = {}, ...others } = query as { filter?: Filter }
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries<string | number | boolean | undefined>(others))
    if (value !== undefined) pairs.append(name, String(value))
  appendFilter(pairs, filter)
  return pairs.toString()
}

function appendFilter(pairs: URLSearchParams, filter: Filter): void {
  for (const [field, wanted] of Object.entries(filter)) {
    if (typeof wanted !== 'object') pairs.append(`filter[${field}]`, String(wanted))
    else for (const [op, value] of Object.entries(wanted)) pairs.append(`filter[${field}][${op}]`, String(value))
  }
}
