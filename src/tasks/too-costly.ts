// The refusal of a task that needs more time or memory than allowed.

import { ServiceError } from '../model/errors.js'

export function tooCostly(cause: unknown): ServiceError {
  const message =
    'This request needs more time or memory than is allowed. Send less, or use a simpler page, template or schema.'
  return Object.assign(new ServiceError('too_costly', message), { cause })
}

/** Whether the JavaScript engine had no room for the work: a text or array past its limits, memory past the bound, a recursion too deep. */
export function isOutOfRoom(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return error instanceof RangeError || code === 'ERR_MEMORY_ALLOCATION_FAILED' || code === 'ERR_STRING_TOO_LONG'
}
