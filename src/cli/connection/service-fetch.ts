// `fetch` for commands: bounds the wait for an answer, and refuses the answer of another program.

import { Refusal } from '../../protocols/client/client.js'
import { isRead } from '../../protocols/client/retry.js'
import { proxiedFetch } from './proxied-fetch.js'

/** The time that the service grants a request by default. */
const MAX_ANSWER_MS = 120_000

/** No answer came in time. The client sends a write again if that can have no effect twice. */
export class LateAnswer extends Error {
  override name = 'TimeoutError'
  /** The next step for a person. */
  readonly advice: string

  constructor(advice: string) {
    super('no answer in time')
    this.advice = advice
  }
}

/**
 * Sends a request. Bounds only the wait for the answer to a request without a body: bytes take as long as the connection needs, in both
 * directions. `fetch` itself ends a connection on which nothing moves for five minutes. Throws LateAnswer, and Refusal
 * if another program answered, which a redirect may lead to.
 */
export async function serviceFetch(request: Request, maxAnswerMs = MAX_ANSWER_MS): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(lateAnswerTo(request)), maxAnswerMs)
  if (request.body !== null) clearTimeout(timer)
  try {
    const response = await proxiedFetch(request, { signal: late.signal })
    if (response.ok && !isOfService(response)) throw new Refusal(response, undefined)
    return response
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    throw code === 'UND_ERR_HEADERS_TIMEOUT' ? lateAnswerTo(request) : error
  } finally {
    clearTimeout(timer)
  }
}

/** Does the work; if its answer is late, the error carries this advice. */
export async function adviseIfLate<T>(advice: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof LateAnswer ? new LateAnswer(advice) : error
  }
}

/** The service answers JSON, files as attachments, and what git's protocol asks for. */
function isOfService({ headers }: Response): boolean {
  const isFile = headers.get('Content-Disposition') === 'attachment'
  return isFile || /^application\/(?:json|x-git-)/.test(headers.get('Content-Type') ?? '')
}

function lateAnswerTo(request: Request): LateAnswer {
  return new LateAnswer(isRead(request) ? 'Try again.' : 'The change may have been made: check before you try again.')
}
