// How this service speaks HTTP on a port: bounds on time and size, what cannot be parsed, and an end that loses nothing accepted.

import { createServer, type Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { isIn, networksOf } from './trusted-proxies.js'

/** How long requests under way may take once a server closes. */
export const STOP_GRACE_MS = 8000
const IDLE_SWEEP_MS = 50
/** How often connections are looked over for answers that are not taken. */
const CHECK_INTERVAL_MS = 1000

/** A path of 2,048 characters may take 24 KiB once it is percent-encoded. */
export const MAX_HEADER_BYTES = 64 * 1024

/** Times in seconds. */
export interface HttpLimits {
  /** For the head of a request to arrive. */
  headersTimeout: number
  /** For a request to arrive whole; and how long a client may take nothing of an answer. */
  requestTimeout: number
  /** How long a connection may idle between requests. */
  keepAlive: number
  maxConnections: number
  /** Trusted proxies, which bring many clients, are not counted. */
  maxConnectionsPerAddress: number
  maxRequestsPerConnection: number
}

/** Does not listen yet, and answers nothing until it is given a handler. */
export function createHttpServer(limits: HttpLimits, trustedProxies: readonly string[]): Server {
  const server = createServer({
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: limits.keepAlive * 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  server.headersTimeout = limits.headersTimeout * 1000
  server.requestTimeout = Math.max(limits.requestTimeout, limits.headersTimeout) * 1000
  limitSlowReaders(server, server.requestTimeout)
  server.maxConnections = limits.maxConnections
  server.maxRequestsPerSocket = limits.maxRequestsPerConnection
  server.on('connection', limitEachAddress(limits.maxConnectionsPerAddress, networksOf(trustedProxies)))
  server.on('clientError', refuseMalformed)
  return server
}

/**
 * Ends connections whose client takes nothing of an answer for `limit` milliseconds. The socket's timer is set only where a
 * part of an answer waits: `server.timeout` would set and unset it for each request, a twentieth of what a small page costs.
 */
function limitSlowReaders(server: Server, limit: number): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const check = setInterval(() => {
    for (const socket of open) if (socket.writableLength > 0 && socket.timeout !== limit) socket.setTimeout(limit)
  }, CHECK_INTERVAL_MS)
  check.unref()
  server.once('close', () => clearInterval(check))
}

/** Drops connections that one address has too many of. */
function limitEachAddress(most: number, trustedProxies: BlockList): (socket: Socket) => void {
  const open = new Map<string, number>()
  return (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isIn(address, trustedProxies)) return
    const count = (open.get(address) ?? 0) + 1
    if (count > most) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  }
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

const REFUSALS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/** What cannot be parsed as HTTP, or does not arrive in time, gets the shortest answer and the connection's end. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = REFUSALS[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
