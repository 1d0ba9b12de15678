// `fetch` for commands: waits for an answer no longer than a service may take, and refuses a web page as an answer.

import { Refusal } from '../../client/client.js'

/** As long as the service grants a request by default. */
const MAX_ANSWER_MS = 120_000

/** Throws Refusal for a web page. */
export async function serviceFetch(request: Request): Promise<Response> {
  const response = await fetch(request, { signal: AbortSignal.timeout(MAX_ANSWER_MS) })
  if (response.ok && response.headers.get('Content-Type')?.includes('html')) throw new Refusal(response, undefined)
  return response
}
