// Sends one request to the API for a tool, and turns every failure into a code and a sentence.

import { type ApiClient, Refusal, Unreachable } from '../client/client.js'
import type { Failure } from './text/refusal-result.js'
import type { ToolRequest } from './tools/tool.js'

/** Milliseconds after which a service without an answer is reported as slow, so that no call hangs. */
const MAX_ANSWER_MS = 60_000

export class ApiFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'ApiFailure'
    this.failure = failure
  }
}

export interface ApiAnswer {
  data: unknown
  /** Null for an answer that is not a list, and on the last part of a list. */
  nextCursor: string | null
  /** The id of the change request that was written to, in place of what is live. */
  changeRequest?: string | undefined
}

/** Asks the API. Throws ApiFailure for a refusal; any other error says why there is no answer. */
export type AskApi = (request: ToolRequest, signal: AbortSignal) => Promise<ApiAnswer>

/** The body of an answer over HTTP. */
interface Envelope {
  data: unknown
  paging?: { nextCursor: string | null }
  changeRequest?: string
}

/** The client's signature for a path that is not known at compile time. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: Envelope; error?: unknown; response: Response }>

/** Reaches the API of a service over HTTP. Rejects with `Refusal`, also for an answer that is not the API's. */
export function apiOf(client: ApiClient): AskApi {
  return async ({ method, path, params, body }, signal) => {
    const init = { params, signal, ...(body && { body }) }
    const { data: envelope, error, response } = await (client.request as unknown as Send)(method, path, init)
    if (envelope !== undefined && 'data' in envelope) {
      const { data, paging, changeRequest } = envelope
      return { data, nextCursor: paging?.nextCursor ?? null, changeRequest }
    }
    throw new Refusal(response, error)
  }
}

/** Throws ApiFailure for a refusal, for no answer within `patienceMs`, and for an answer that is not the API's. */
export async function sendRequest(
  ask: AskApi,
  request: ToolRequest,
  signal: AbortSignal,
  patienceMs = MAX_ANSWER_MS,
): Promise<ApiAnswer> {
  const limit = AbortSignal.timeout(patienceMs)
  try {
    return await ask(request, AbortSignal.any([signal, limit]))
  } catch (error) {
    if (limit.aborted) throw new ApiFailure(slow(patienceMs))
    if (error instanceof Refusal) throw new ApiFailure(failureOf(error))
    throw error instanceof ApiFailure ? error : new ApiFailure(unreachable(error))
  }
}

function failureOf({ code, message, requestId, details }: Refusal): Failure {
  return { code, message, requestId, details }
}

function slow(patienceMs: number): Failure {
  return { code: 'service_slow', message: `The service has not answered within ${patienceMs / 1000} seconds.` }
}

function unreachable(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error)
  const message = error instanceof Unreachable ? why : `The service cannot be reached: ${why}.`
  return { code: 'service_unreachable', message }
}
