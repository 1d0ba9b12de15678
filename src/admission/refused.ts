// The refusal of a gate, of the memory or of a rate limit. It tells when another try is worth it.

import { type ErrorCode, ServiceError } from '../model/errors.js'

export interface Refusal {
  /** The status of HTTP that the code has. */
  status: number
  code: ErrorCode
  message: string
  retryAfterSeconds: number
}

export class Refused extends ServiceError {
  readonly retryAfterSeconds: number

  constructor({ code, message, retryAfterSeconds }: Omit<Refusal, 'status'>) {
    super(code, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Returns the value of `Retry-After` for an error; `otherwise` is for those that come from no limit, such as a lock of another program. */
export function retryAfterOf(error: unknown, otherwise = 1): number {
  return error instanceof Refused ? error.retryAfterSeconds : otherwise
}
