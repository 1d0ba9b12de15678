// One request to the API, with every way it can fail as a code and a sentence.

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

/** What an endpoint answers. */
export interface Envelope {
  data: unknown
  paging?: { nextCursor: string | null }
}

interface Answer {
  data: unknown
  /** Null for what is no list, and on the last part of one. */
  nextCursor: string | null
}

/** The API, as this door speaks to it. Throws Refusal; what else it throws says why there is no answer. */
export type AskApi = (request: ToolRequest, signal: AbortSignal) => Promise<Envelope>

/** The client's form for a path that is not known when this is compiled. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: Envelope; error?: unknown; response: Response }>

export function apiOf(client: ApiClient): AskApi {
  return async ({ method, path, params, body }, signal) => {
    const init = { params, signal, ...(body && { body }) }
    const { data, error, response } = await (client.request as unknown as Send)(method, path, init)
    if (data !== undefined && 'data' in data) return data
    throw new Refusal(response, error)
  }
}

/** Throws SendFailure, for a refusal, no answer within `patience` milliseconds, and an answer that is not the API's. */
export async function sendRequest(
  ask: AskApi,
  request: ToolRequest,
  signal: AbortSignal,
  patience = ANSWER_MS,
): Promise<Answer> {
  const limit = AbortSignal.timeout(patience)
  try {
    const { data, paging } = await ask(request, AbortSignal.any([signal, limit]))
    return { data, nextCursor: paging?.nextCursor ?? null }
  } catch (error) {
    if (limit.aborted) throw new SendFailure(slow(patience))
    if (!(error instanceof Refusal)) throw new SendFailure(unreachable(error))
    const { code, message, requestId, details } = error
    throw new SendFailure({ code, message, requestId, details })
  }
}

function slow(patience: number): Failure {
  return { code: 'service_slow', message: `The service has not answered within ${patience / 1000} seconds.` }
}

function unreachable(error: unknown): Failure {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
  return { code: 'service_unreachable', message: `The service cannot be reached: ${why}.` }
}
