// A refused body is not read to its end: once the refusal is sent, the rest is taken off the wire for a moment, so that
// the client gets to see the answer, and then the connection is cut.

import type { ApiMiddleware } from './request-state.js'

const UNREAD_BYTES = 1024 * 1024
const UNREAD_MS = 1000

export function limitUnread(): ApiMiddleware {
  return async ({ req, res }, next) => {
    res.once('finish', () => {
      if (req.complete) return
      const { socket } = req
      const most = socket.bytesRead + UNREAD_BYTES
      const cut = setTimeout(() => socket.destroy(), UNREAD_MS).unref()
      // Cutting at once would take the answer away with the bytes that nobody reads: past the bound it is just not read on.
      req.on('data', () => socket.bytesRead > most && req.pause())
      req.once('close', () => clearTimeout(cut))
      req.resume()
    })
    await next()
  }
}
