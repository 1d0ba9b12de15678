// How this service speaks HTTP on a port: bounds on time and size, what cannot be parsed, and an end that loses nothing accepted.

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long requests under way may take once a server closes. */
export const STOP_GRACE_MS = 8000
const IDLE_SWEEP_MS = 50

/** A path of 2,048 characters may take 24 KiB once it is percent-encoded. */
export const MAX_HEADER_BYTES = 64 * 1024

/** Does not listen yet, and answers nothing until it is given a handler. */
export function createHttpServer(): Server {
  const server = createServer({
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 5000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 120_000
  server.on('clientError', refuseMalformed)
  return server
}

/** Takes no new connection and resolves when requests under way are answered, or cut off after the grace. */
export async function closeHttpServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Connections that a client keeps alive go as they fall idle; what is still open after the grace is cut.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

/** What cannot be parsed as HTTP gets the shortest answer and the connection's end. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
