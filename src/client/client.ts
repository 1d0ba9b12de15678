// A client of the API: `createClient({ baseUrl, key })` gives typed `GET`, `PUT`, … for each path of the route table.

import createFetchClient, { type Client } from 'openapi-fetch'
import type { Paths } from './paths.js'
import { API_PREFIX, serializeQuery } from './request-url.js'

export type { DataOf, Filter, Paths } from './paths.js'
export { dataOf, entriesOf, Refusal, type Slice, sliceOf } from './refusal.js'

export interface ClientOptions {
  /** Where the service is, as its BASE_URL says: `http://localhost:8080`. */
  baseUrl: string
  /** An API key; without one, requests carry whatever cookies the browser has for `baseUrl`. */
  key?: string
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
    baseUrl: `${baseUrl.replace(/\/+$/, '')}${API_PREFIX}`,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(workspaceId !== undefined && { 'x-service-account-id': workspaceId }),
      ...(siteId !== undefined && { 'x-service-site-id': siteId }),
    },
    querySerializer: serializeQuery,
    ...(fetch && { fetch }),
  })
}
