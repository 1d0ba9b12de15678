// What went wrong, for the person or script that called: one message that says what to do, and an exit code.

import { Refusal } from '../../client/client.js'
import { apiBaseUrl, NoApiKey } from './credentials.js'

/** Exit codes: 1 the service refused, 2 what was asked for cannot be done so, 3 no answer now, and perhaps later. */
export interface Explanation {
  message: string
  exitCode: 1 | 2 | 3
}

/** What was asked for makes no sense here: a file that is not there, a site that the key does not see. */
export class Unusable extends Error {
  override name = 'Unusable'
}

const HINTS: Readonly<Record<string, string>> = {
  unauthenticated: 'Set SERVICE_API_TOKEN to one, or run "palimpsest login".',
  insufficient_scope: 'Use a key that may write.',
  precondition_failed: 'Somebody changed it in between: look at it, and try again.',
}

/** Undefined for what is nobody's but ours to mend. */
export function explain(error: unknown): Explanation | undefined {
  if (error instanceof NoApiKey || error instanceof Unusable) return { message: error.message, exitCode: 2 }
  if (error instanceof Refusal) return { message: explainRefusal(error), exitCode: error.status >= 500 ? 3 : 1 }
  if (!(error instanceof Error)) return undefined
  const baseUrl = apiBaseUrl(process.env)
  if (error.name === 'TimeoutError') return { message: `${baseUrl} did not answer in time.`, exitCode: 3 }
  if (error instanceof TypeError && error.message === 'fetch failed') {
    const why = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? 'no connection'
    return {
      message: `Nobody answers at ${baseUrl} (${why}). Is the service running there? BASE_URL names another.`,
      exitCode: 3,
    }
  }
  return undefined
}

/** The service's own words, and what a person at a command line can do. */
export function explainRefusal({ message, code, status, retryAfter }: Refusal): string {
  const hint = HINTS[code] ?? (status === 503 ? `Try again in ${retryAfter ?? 'a few'} seconds.` : undefined)
  return hint === undefined ? message : `${message} ${hint}`
}
