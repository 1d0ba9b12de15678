// `fetch` for commands: waits for an answer no longer than a service may take, and refuses a web page as an answer.

import { Refusal } from '../../client/client.js'

/** As long as the service grants a request by default. */
const MAX_ANSWER_MS = 120_000

/**
 * Bytes take as long as the connection needs, in both directions: what is bounded is the wait for the answer to a request without a
 * body. `fetch` itself ends a connection on which nothing moves for five minutes. Throws Refusal for a web page.
 */
export async function serviceFetch(request: Request, maxAnswerMs = MAX_ANSWER_MS): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), maxAnswerMs)
  if (request.body !== null) clearTimeout(timer)
  try {
    const response = await fetch(request, { signal: late.signal })
    if (response.ok && response.headers.get('Content-Type')?.includes('html')) throw new Refusal(response, undefined)
    return response
  } finally {
    clearTimeout(timer)
  }
}
