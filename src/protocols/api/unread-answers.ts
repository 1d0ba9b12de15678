// Turns answers into bytes. A long one is sent once there is memory for it, and counts until its client has taken it.

import { Readable } from 'node:stream'
import type { UnreadAnswers } from '../../admission/unread-answers.js'
import type { ApiMiddleware } from './request/request-state.js'

/** An answer to GET without room is refused with `service_busy`. Other requests may have written, so they are answered anyway. */
export function holdAnswers(answers: UnreadAnswers): ApiMiddleware {
  return async (ctx, next) => {
    await next()
    const { principal } = ctx.state
    // The answer to HEAD has no body.
    if (ctx.method === 'HEAD' || principal === undefined || ctx.body == null || ctx.body instanceof Readable) return
    const bytes = bytesOf(ctx.body)
    ctx.body = bytes
    const mustBeSent = ctx.method !== 'GET'
    await answers.count(principal.workspaceId, ctx.res, bytes.length, { mustBeSent }).catch((error: unknown) => {
      ctx.remove('ETag')
      throw error
    })
  }
}

/** Answers JSON that nothing else turned into bytes, such as refusals, as one line. */
export function endLines(): ApiMiddleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && !(body instanceof Readable))
      ctx.body = jsonLine(body)
  }
}

/** Returns JSON with a line feed: on a terminal the prompt then begins a line. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** Returns the bytes of an answer's body, which is JSON unless it is bytes or a text. */
export function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : jsonLine(body))
}
