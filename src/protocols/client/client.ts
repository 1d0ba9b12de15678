// The typed client of the API: `createClient({ baseUrl, key })` has `GET`, `PUT`, … for each path of the route table.

import createFetchClient from 'openapi-fetch'
import type { ApiClient } from './api-client.js'
import type { Paths } from './api-types.js'
import { besidePrefix } from './moved.js'
import { Refusal } from './refusal.js'
import { API_PREFIX, serializeQuery } from './request-url.js'
import { withRetries } from './retry.js'
import { siteNames } from './site-names.js'
import { explainFailures } from './unreachable.js'

export type { ApiClient, DataOf } from './api-client.js'
export type { ErrorBody, ErrorCode, Paths } from './api-types.js'
export { bytesBody, oidOf } from './bytes.js'
export {
  deploy,
  type DeployFile,
  type DeployOptions,
  type DeployProgress,
  type Deployed,
  type OpenedDeploy,
} from './deploy.js'
export { dataOf, entriesOf, Refusal, type RefusalCode, type Slice, sliceOf } from './refusal.js'
export type { Filter, HeaderFields } from './request-types.js'
export { Unreachable } from './unreachable.js'

export interface ClientOptions {
  /** The service's BASE_URL, such as `http://localhost:8080`. */
  baseUrl: string
  /** An API key; without one, requests carry the cookies that the browser has for `baseUrl`. */
  key?: string | undefined
  /** The workspace of the requests; default: the key's own. */
  workspaceId?: string | undefined
  /** The site of the requests, by id or slug; default: the workspace's default site. */
  siteId?: string | undefined
  /** Replaces the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * Most times to send a request again. Reasons are a busy service (429, 503 with `Retry-After`), a broken connection and a late answer.
   * POST carries an `Idempotency-Key`, so that nothing happens twice. Default 4; 0 sends each request once, as it is.
   */
  retries?: number | undefined
}

const DEFAULT_RETRIES = 4

/**
 * Makes a client; paths are below `/api/v1`, but `/session` and `/guest`. Each call resolves with `data` (the answer's body) or `error` (the body of a
 * refusal), and with `response`. It rejects with `Unreachable` if there is no answer. Paths below `/sites/{id}` take a slug too. `dataOf`
 * and `entriesOf` unwrap the body or throw `Refusal`.
 */
export function createClient({
  baseUrl,
  key,
  workspaceId,
  siteId,
  fetch = (request) => globalThis.fetch(request),
  retries = DEFAULT_RETRIES,
}: ClientOptions): ApiClient {
  const client = createFetchClient<Paths, 'application/json'>({
    baseUrl: `${baseUrl.replace(/\/+$/, '')}${API_PREFIX}`,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(workspaceId !== undefined && { 'x-service-account-id': workspaceId }),
      ...(siteId !== undefined && { 'x-service-site-id': siteId }),
    },
    querySerializer: serializeQuery,
    fetch: withRetries(fetch, retries),
  })
  client.use({
    onResponse: ({ response, options }) => {
      const isJson = response.headers.get('Content-Type')?.includes('json') === true
      if (response.ok && response.status !== 204 && options.parseAs === 'json' && !isJson)
        throw new Refusal(response, undefined)
    },
  })
  client.use(besidePrefix)
  const named = Object.assign(client, { siteId })
  client.use(siteNames(named))
  explainFailures(client, baseUrl)
  return named
}
