// Bounds what is read of a body that was refused before its end.

import { limitUnread as limit } from '../../http/server/http-server.js'
import type { ApiMiddleware } from './request-state.js'

export function limitUnread(): ApiMiddleware {
  return async ({ req, res }, next) => {
    limit(req, res)
    await next()
  }
}
