// Bounds what is read of a body that was refused before its end. After the refusal is sent, a little more is read, so that the
// client gets to see the answer; then the connection is closed.

import type { ApiMiddleware } from './request-state.js'

const MAX_UNREAD_BYTES = 256 * 1024
const MAX_UNREAD_MS = 1000

export function limitUnread(): ApiMiddleware {
  return async ({ req, res }, next) => {
    res.once('finish', () => {
      if (req.complete) return
      const { socket } = req
      const limit = socket.bytesRead + MAX_UNREAD_BYTES
      const cut = setTimeout(() => socket.destroy(), MAX_UNREAD_MS).unref()
      // Closing at once would discard the answer together with the unread bytes. Past the limit, reading just stops.
      req.on('data', () => socket.bytesRead > limit && req.pause())
      req.once('close', () => clearTimeout(cut))
      req.resume()
    })
    await next()
  }
}
