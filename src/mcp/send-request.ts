// One request to the API by the typed client, with every way it can fail as a code and a sentence.

import { type ApiClient, Refusal } from '../client/client.js'
import type { Failure } from './refusal-result.js'
import type { ToolRequest } from './tool.js'

/** A service that has not answered by then is said to be slow: no call hangs. */
const ANSWER_MS = 60_000

export class SendFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'SendFailure'
    this.failure = failure
  }
}

interface Envelope {
  data: unknown
  paging?: { nextCursor: string | null }
}

interface Answer {
  data: unknown
  /** Null for what is no list, and on the last part of one. */
  nextCursor: string | null
}

/** The client's form for a path that is not known when this is compiled. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: Envelope; error?: unknown; response: Response }>

/** Throws SendFailure, for a refusal, no answer within `patience` milliseconds, and an answer that is not the API's. */
export async function sendRequest(
  client: ApiClient,
  request: ToolRequest,
  signal: AbortSignal,
  patience = ANSWER_MS,
): Promise<Answer> {
  const { method, path, params, body } = request
  const limit = AbortSignal.timeout(patience)
  const init = { params, signal: AbortSignal.any([signal, limit]), ...(body && { body }) }
  let answer: Awaited<ReturnType<Send>>
  try {
    answer = await (client.request as unknown as Send)(method, path, init)
  } catch (error) {
    throw new SendFailure(limit.aborted ? slow(patience) : unreachable(error))
  }
  const { data, error, response } = answer
  if (data !== undefined && 'data' in data) return { data: data.data, nextCursor: data.paging?.nextCursor ?? null }
  const { code, message, requestId, details } = new Refusal(response, error)
  throw new SendFailure({ code, message, requestId, details })
}

function slow(patience: number): Failure {
  return { code: 'service_slow', message: `The service has not answered within ${patience / 1000} seconds.` }
}

function unreachable(error: unknown): Failure {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
  return { code: 'service_unreachable', message: `The service cannot be reached: ${why}.` }
}
