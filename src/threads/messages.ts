// The messages between a thread and its client.

import { type ErrorCode, ServiceError } from '../model/errors.js'

/** Asks the thread to exit, between two pieces of work. */
export const END = 'end'

/** The requests, answers and unsolicited events of one kind of thread. */
export interface Protocol {
  request: unknown
  answer: unknown
  event: unknown
}

export interface Asked<P extends Protocol> {
  ticket: number
  request: P['request']
}

/** The answer to the request with that ticket. */
export type Reply<P extends Protocol> = { ticket: number } & ({ answer: P['answer'] } | { failure: Failure })

/** A message from a thread. Its event is handled before its replies. */
export interface Said<P extends Protocol> {
  event?: P['event']
  replies?: readonly Reply<P>[]
}

/** An error as data. */
export interface Failure {
  code: ErrorCode
  message: string
  details?: unknown
  /** The original error, for the log only. */
  cause?: string
}

export function failureOf({ code, message, details, cause }: ServiceError): Failure {
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : undefined
  return { code, message, ...(details !== undefined && { details }), ...(reason !== undefined && { cause: reason }) }
}

export function fromFailure({ code, message, details, cause }: Failure): ServiceError {
  return Object.assign(new ServiceError(code, message, details), cause === undefined ? {} : { cause })
}
