// Bounds the memory of long answers, together with that of received bodies. A client that requests many of them and reads none slows only
// itself.

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { waited } from '../admission/waits.js'
import type { ByteBudget } from '../model/byte-budget.js'
import { ServiceError } from '../model/errors.js'
import type { ApiMiddleware } from './request/request-state.js'

/** Shorter answers are not counted: the connection's buffers hold them, or soon will. */
const MIN_BYTES = 64 * 1024
/** Milliseconds that an answer waits until clients have taken others. */
const MAX_WAIT_MS = 2000

/**
 * Turns the answers to a workspace into bytes. A long one is sent once the budget has room for it, and counts until its client has taken
 * it. A GET throws `service_busy` if there is no room in time. Other requests may have written, so they are answered anyway: the workspace
 * then loses the connections whose long answers have been unread for longest.
 */
export function holdAnswers(budget: ByteBudget): ApiMiddleware {
  const answers = new UntakenAnswers(budget)
  return async (ctx, next) => {
    await next()
    const { principal } = ctx.state
    // The answer to HEAD has no body.
    if (ctx.method === 'HEAD' || principal === undefined || ctx.body == null || ctx.body instanceof Readable) return
    const bytes = bytesOf(ctx.body)
    ctx.body = bytes
    if (bytes.length < MIN_BYTES) return
    const { workspaceId } = principal
    const hasRoom = await waited('memory', budget.takeMadeWithin(MAX_WAIT_MS, workspaceId, bytes.length))
    if (!hasRoom && ctx.method === 'GET') {
      ctx.remove('ETag')
      throw new ServiceError('service_busy', 'Too many long answers wait for their clients. Read them, and ask again.')
    }
    answers.send(workspaceId, ctx.res, hasRoom ? bytes.length : answers.makeRoom(workspaceId, bytes.length))
  }
}

class UntakenAnswers {
  readonly #budget: ByteBudget
  /** Functions that give back the bytes of each answer, by workspace, oldest first. */
  readonly #sent = new Map<string, Map<ServerResponse, () => void>>()

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Ends as many of the holder's connections as needed. Returns the bytes taken: 0 if the holder's bodies leave no room. */
  makeRoom(holder: string, bytes: number): number {
    for (const [response, give] of this.#sent.get(holder) ?? []) {
      response.destroy()
      give()
      if (this.#budget.take(holder, bytes)) return bytes
    }
    return 0
  }

  /** Counts the answer until its connection closes; `bytes` were taken for it. */
  send(holder: string, response: ServerResponse, bytes: number): void {
    const sent = this.#sent.get(holder) ?? new Map<ServerResponse, () => void>()
    this.#sent.set(holder, sent)
    const give = () => {
      if (!sent.delete(response)) return
      if (sent.size === 0) this.#sent.delete(holder)
      this.#budget.give(holder, bytes)
    }
    sent.set(response, give)
    if (response.closed) give()
    else response.once('close', give)
  }
}

/** Returns the bytes of an answer's body, which is JSON unless it is bytes or a text. */
export function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
