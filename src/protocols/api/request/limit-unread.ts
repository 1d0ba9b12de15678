// Bounds the bytes that are read of a body after an early refusal.

import { limitUnread as limit } from '../../http/server/http-server.js'
import type { ApiMiddleware } from './request-state.js'

export function limitUnread(): ApiMiddleware {
  return async ({ req, res }, next) => {
    limit(req, res)
    await next()
  }
}
