// The typed client of the API: `createClient({ baseUrl, key })` has `GET`, `PUT`, … for each path of the route table.

import createFetchClient from 'openapi-fetch'
import type { ApiClient, Paths } from './paths.js'
import { API_PREFIX, serializeQuery } from './request-url.js'

export type { ApiClient, DataOf, Filter, Paths } from './paths.js'
export { deploy, type DeployFile, type DeployOptions, type DeployProgress, type Deployed } from './deploy.js'
export { dataOf, entriesOf, Refusal, type Slice, sliceOf } from './refusal.js'

export interface ClientOptions {
  /** The service's BASE_URL, such as `http://localhost:8080`. */
  baseUrl: string
  /** An API key; without one, requests carry whatever cookies the browser has for `baseUrl`. */
  key?: string
  /** The workspace of the requests; default: the key's own. */
  workspaceId?: string
  /** The site of the requests; default: the workspace's default site. */
  siteId?: string
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Paths are below `/api/v1`. Each call resolves with `data` (the answer's body) or `error` (the body of a refusal), and with
 * `response`; it rejects as `fetch` does where there is no answer. `dataOf` and `entriesOf` unwrap the body or throw `Refusal`.
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
