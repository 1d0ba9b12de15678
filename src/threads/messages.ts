// What a thread and the code that asks it say to each other.

import { type ErrorCode, ServiceError } from '../model/errors.js'

/** Asks the thread to exit, between two pieces of work. */
export const END = 'end'

/** What one kind of thread is asked, answers, and says unasked. */
export interface Protocol {
  request: unknown
  answer: unknown
  event: unknown
}

export interface Asked<P extends Protocol> {
  ticket: number
  request: P['request']
}

/** The answer to the request of that ticket. */
export type Reply<P extends Protocol> = { ticket: number } & ({ answer: P['answer'] } | { failure: Failure })

/** What a thread posts. The event is handled before the replies are. */
export interface Said<P extends Protocol> {
  event?: P['event']
  replies?: readonly Reply<P>[]
}

/** An error as data. */
export interface Failure {
  code: ErrorCode
  message: string
  details?: unknown
  /** What really happened, for the log only. */
  cause?: string
}

export function failureOf({ code, message, details, cause }: ServiceError): Failure {
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : undefined
  return { code, message, ...(details !== undefined && { details }), ...(reason !== undefined && { cause: reason }) }
}

export function fromFailure({ code, message, details, cause }: Failure): ServiceError {
  return Object.assign(new ServiceError(code, message, details), cause === undefined ? {} : { cause })
}
