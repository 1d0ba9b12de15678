// Long answers have a bound of memory, which they share with the bodies that are received: a client that asks for many of them and
// reads none holds up only itself.

import { Readable } from 'node:stream'
import type { ByteBudget } from '../model/byte-budget.js'
import { ServiceError } from '../model/errors.js'
import type { ApiMiddleware } from './request/request-state.js'

/** Shorter answers are not counted: they are mostly in the buffers of the connection. */
const MIN_BYTES = 256 * 1024
/** How long an answer waits for others to be taken, and bytes of those that wait so. */
const MAX_WAIT_MS = 2000
const MAX_WAITING_BYTES = 32 * 1024 * 1024

/**
 * Turns answers to GET into bytes. A long one is sent once the budget has room for it, and counts until its client has taken it.
 * Throws `service_busy`.
 */
export function holdAnswers(budget: ByteBudget): ApiMiddleware {
  let waitingBytes = 0

  async function take(holder: string, bytes: number): Promise<boolean> {
    if (budget.take(holder, bytes)) return true
    if (waitingBytes + bytes > MAX_WAITING_BYTES) return false
    waitingBytes += bytes
    const isTaken = await budget.takeWithin(MAX_WAIT_MS, holder, bytes)
    waitingBytes -= bytes
    return isTaken
  }

  return async (ctx, next) => {
    await next()
    if (ctx.method !== 'GET' || ctx.status !== 200 || ctx.body instanceof Readable) return
    const bytes = bytesOf(ctx.body)
    ctx.body = bytes
    const { principal } = ctx.state
    if (principal === undefined || bytes.length < MIN_BYTES) return
    const { workspaceId } = principal
    if (!(await take(workspaceId, bytes.length))) {
      ctx.remove('ETag')
      throw new ServiceError('service_busy', 'Too many long answers wait for their clients. Read them, and ask again.')
    }
    const give = () => budget.give(workspaceId, bytes.length)
    if (ctx.res.closed) give()
    else ctx.res.once('close', give)
  }
}

/** The bytes of an answer's body, which is JSON unless it is bytes or a text. */
export function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
