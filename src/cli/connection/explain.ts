// Turns an error into a message with advice, and an exit code.

import { Refusal } from '../../protocols/client/client.js'
import { UnusableFolder } from '../../protocols/client/node/unusable-folder.js'
import { asUnreachable } from '../../protocols/client/unreachable.js'
import { invocation } from '../terminal/invocation.js'
import { apiBaseUrl, InvalidBaseUrl, NoApiKey } from './credentials.js'
import { wordsOfProxy } from './proxied-fetch.js'
import { LateAnswer } from './service-fetch.js'
import { Unusable } from './unusable.js'

/** Message and exit code: 1 the service refused, 2 wrong usage, 3 no answer: try again later. */
export interface Explanation {
  message: string
  exitCode: 1 | 2 | 3
}

/** Something in a folder cannot be published, so nothing was. */
export class LeftOut extends Error {
  override name = 'LeftOut'
}

const USAGE_ERRORS = [NoApiKey, InvalidBaseUrl, Unusable, UnusableFolder]

const HINTS: Readonly<Record<string, string>> = {
  approval_required: 'With --draft, the commands publish, mv, rm, rollback and undo propose what they change.',
  change_request_closed: `"${invocation()} changes" lists the open ones.`,
  merge_conflict: `"${invocation()} changes update <number>" brings a change request up to date.`,
  unauthenticated: `Set PALIMPSEST_TOKEN to a valid key, or run "${invocation()} login".`,
  insufficient_scope: `Run "${invocation()} login" again and allow it, or use a key that may do it.`,
  precondition_failed: 'Somebody changed it in the meantime: look at it and try again.',
}

/** Returns undefined for an error that the caller cannot fix. */
export function explain(error: unknown): Explanation | undefined {
  if (!(error instanceof Error)) return undefined
  if (USAGE_ERRORS.some((type) => error instanceof type)) return { message: error.message, exitCode: 2 }
  if (error instanceof Refusal) return { message: explainRefusal(error), exitCode: error.status >= 500 ? 3 : 1 }
  if (error instanceof LeftOut) return { message: error.message, exitCode: 1 }
  if (isOfFile(error)) return { message: error.message, exitCode: 1 }
  if (error instanceof LateAnswer)
    return { message: `${apiBaseUrl(process.env)} did not answer in time. ${error.advice}`, exitCode: 3 }
  // Commands that ask no service take any address: only the errors of connections need it.
  const unreachable = error instanceof TypeError ? asUnreachable(error, apiBaseUrl(process.env), true) : undefined
  if (unreachable === undefined) return undefined
  const { message, isAddressInDoubt } = unreachable
  const address = isAddressInDoubt ? ' PALIMPSEST_URL names the address.' : ''
  return { message: message + address + wordsOfProxy(process.env), exitCode: 3 }
}

/** Whether the system refused a file or folder of this machine. Errors of connections are the cause of another one. */
export function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** Returns the service's message, with advice for a person at a command line. */
export function explainRefusal({ message, code, status, retryAfter }: Refusal): string {
  const hint = HINTS[code] ?? (status === 503 ? `Try again in ${retryAfter ?? 'a few'} seconds.` : undefined)
  return hint === undefined ? message : `${message} ${hint}`
}
