// Sends requests to other paths than their names in the route table.

import type { ApiClient } from './api-client.js'
import { API_PREFIX, BESIDE_PREFIX } from './request-url.js'

type Middleware = Extract<Parameters<ApiClient['use']>[0], { onRequest: unknown }>

/** Sends what does not lie below the prefix of the API to where it is. */
export const besidePrefix: Middleware = {
  async onRequest({ request, schemaPath }) {
    if (!BESIDE_PREFIX.test(schemaPath)) return undefined
    return await movedTo(request, `${API_PREFIX}${schemaPath}`, schemaPath)
  },
}

/** Returns the request at another path. Its body is JSON, and short. */
export async function movedTo(request: Request, from: string, to: string): Promise<Request> {
  const { method, headers, signal, credentials } = request
  const body = await request.text()
  return new Request(request.url.replace(from, to), {
    method,
    headers,
    signal,
    credentials,
    ...(body !== '' && { body }),
  })
}
