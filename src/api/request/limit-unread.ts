// Bounds what is read of a body that was refused before its end.

import { dropUnread } from '../../http/server/http-server.js'
import type { ApiMiddleware } from './request-state.js'

export function limitUnread(): ApiMiddleware {
  return async ({ req, res }, next) => {
    res.once('finish', () => req.complete || dropUnread(req, () => req.socket.destroy()))
    await next()
  }
}
