// Unwraps an answer's data, or throws the refusal.

import type { ErrorBody, ErrorCode } from './api-types.js'

/** A code of docs/errors.md, or `not_the_service` if something else answered. A service that is newer than this client may send others. */
export type RefusalCode = ErrorCode | 'not_the_service'

/** The service refused the request. */
export class Refusal extends Error {
  readonly status: number
  readonly code: RefusalCode
  readonly details: unknown
  readonly requestId: string | undefined
  /** Seconds to wait before another try, if the service names them. */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: unknown) {
    const error = isErrorBody(body) ? body.error : foreignError(response)
    super(error.message)
    this.name = 'Refusal'
    this.status = response.status
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a closed union, so that a mistyped code does not compile
    this.code = error.code as RefusalCode
    this.details = error.details
    this.requestId = error.requestId
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds
  }
}

interface Answer<Body> {
  data?: Body
  error?: unknown
  response: Response
}

/** Returns the `data` of an answer. Throws `Refusal`. */
export function dataOf<T>(answer: Answer<{ data: T }>): T {
  return bodyOf(answer).data
}

/** One slice of a list. `nextCursor` is null at the end of the list. */
export interface Slice<T> {
  entries: T[]
  nextCursor: string | null
}

type ListAnswer<T> = Answer<{ data: T[]; paging: { nextCursor: string | null } }>

/** Returns the entries of an answer that is one slice of a list. Throws `Refusal`. */
export function sliceOf<T>(answer: ListAnswer<T>): Slice<T> {
  const { data, paging } = bodyOf(answer)
  return { entries: data, nextCursor: paging.nextCursor }
}

/** Yields all entries of a list, read slice by slice: `read` gets the parameters to add to the query. Throws `Refusal`. */
export async function* entriesOf<T>(
  read: (slice: { cursor?: string }) => Promise<ListAnswer<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const { entries, nextCursor } = sliceOf(await read(cursor === undefined ? {} : { cursor }))
    yield* entries
    cursor = nextCursor
  }
}

function bodyOf<Body extends object>({ data, error, response }: Answer<Body>): Body {
  if (data !== undefined && 'data' in data) return data
  throw new Refusal(response, error)
}

function isErrorBody(body: unknown): body is Pick<ErrorBody, 'error'> {
  const error = (body as Partial<ErrorBody> | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

function foreignError({ status, url }: Response): Partial<ErrorBody['error']> & { code: string; message: string } {
  const { origin } = new URL(url)
  // A proxy in front of the service answered.
  const isCutOff = status === 502 || status === 504
  const message = isCutOff
    ? `The service behind ${origin} did not answer (status ${status}). Try again.`
    : `What answers at ${origin} (status ${status}) is not this service. Check the address.`
  return { code: 'not_the_service', message }
}
