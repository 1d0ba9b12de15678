// The HTTP server on a port: limits on time, size and connections, refusal of malformed requests and of bodies, and a graceful stop.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { inNetworks } from '../../../model/hosts/networks.js'
import { limitConnections } from './limit-connections.js'
import { endSlowClients, type LeastRate } from './slow-clients.js'

/**
 * Connections that the kernel holds before the service accepts them; it may allow fewer (net.core.somaxconn, 4,096 by default). Clients
 * beyond the limit are not refused, but must retry after one second, three and seven.
 */
export const MAX_WAITING_CONNECTIONS = 10_000

/** Time for running requests to end once the server closes. */
const STOP_GRACE_MS = 8000
const IDLE_SWEEP_MS = 50
/** Interval of the check for clients that do not read. */
const CHECK_INTERVAL_MS = 1000

/** Limit on reading the rest of a refused body. A client that sends little more then still sees the answer. */
const MAX_UNREAD_BYTES = 256 * 1024
const MAX_UNREAD_MS = 1000

/** A path of 2,048 characters takes up to 24 KiB percent-encoded. */
export const MAX_HEADER_BYTES = 64 * 1024

/** More than any client sends. */
export const MAX_FIELDS = 1000

export interface HttpLimits extends LeastRate {
  /** Time for the header section of a request to arrive. */
  headersTimeoutSeconds: number
  /** Time for a complete request to arrive; also the time for which a client may read nothing of an answer. */
  requestTimeoutSeconds: number
  /** Time for which a connection may be idle between requests. */
  keepAliveSeconds: number
  maxConnections: number
  /** Limit for an IPv4 address or an IPv6 /64 network. Trusted proxies, which connect for many clients, are not counted. */
  maxConnectionsPerAddress: number
  maxRequestsPerConnection: number
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Creates the server. It does not listen yet. */
export function createHttpServer(limits: HttpLimits, trustedProxies: readonly string[], handle: Handler): Server {
  const server = createServer({
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  limitConnections(server, limits.maxConnectionsPerAddress, inNetworks(trustedProxies))
  server.headersTimeout = limits.headersTimeoutSeconds * 1000
  server.requestTimeout = Math.max(limits.requestTimeoutSeconds, limits.headersTimeoutSeconds) * 1000
  server.on('timeout', endUnlessHeard)
  // A connection that finds no free descriptor is an error of the server, which without a listener would end the process.
  server.on('error', () => server.closeIdleConnections())
  limitIdleReaders(server, server.requestTimeout)
  endSlowClients(server, limits)
  server.maxConnections = limits.maxConnections
  server.maxRequestsPerSocket = limits.maxRequestsPerConnection
  server.on('clientError', refuseMalformed)
  server.on('request', soundRequests(server, MAX_FIELDS, handle))
  return server
}

/**
 * Creates a listener that handles only requests with a single possible reading, and refuses the others. Node silently omits fields past
 * its limit from `headers`, and some of them from `rawHeaders`, so a request may have at most `max`. The only transfer coding is
 * `chunked`: the parser refuses some of the others only after it has passed the request on.
 */
export function soundRequests(server: Server, max: number, handle: Handler): Handler {
  // Keeping one more shows that there are too many.
  server.maxHeadersCount = max + 1
  return (request, response) => {
    const { rawHeaders, headers } = request
    if (rawHeaders.length > 2 * max)
      return refuseAndClose(request, response, 431, `The request has more than ${max} header fields: send fewer.\n`)
    if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
      return refuseAndClose(request, response, 400, 'Transfer-Encoding can only be "chunked".\n')
    return handle(request, response)
  }
}

/** Refuses a request, and closes its connection once the client has the answer. */
export function refuseAndClose(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  })
  response.write(text)
  const close = () => response.end()
  dropUnread(request.once('end', close), close)
}

/**
 * Ends connections whose client reads nothing of an answer for `limitMs`. The socket's timer is set only while a part of an
 * answer waits. `server.timeout` would set and clear it for each request, which is a twentieth of the cost of a small page.
 */
function limitIdleReaders(server: Server, limitMs: number): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const check = setInterval(() => {
    for (const socket of open) if (socket.writableLength > 0 && socket.timeout !== limitMs) socket.setTimeout(limitMs)
  }, CHECK_INTERVAL_MS)
  check.unref()
  server.once('close', () => clearInterval(check))
}

/**
 * Ends a connection that has timed out. A busy process may see the timer before data that has already arrived, such as the next request.
 * One more turn of the event loop lets that data in.
 */
function endUnlessHeard(socket: Socket): void {
  const { bytesRead, writableLength } = socket
  setImmediate(() => {
    if (socket.bytesRead === bytesRead && socket.writableLength === writableLength) socket.destroy()
  })
}

/** Resolves with the port, once the server accepts connections there. Rejects with the system's error. */
export async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: MAX_WAITING_CONNECTIONS }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has no port')
  return address.port
}

/** Accepts no new connection; resolves once running requests are answered, or cut off after `STOP_GRACE_MS`. */
export async function closeHttpServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

/** Status and text by the codes of Node's parser. */
const REFUSALS: Readonly<Record<string, readonly [status: string, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive: send it again.'],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `The request line and the header fields have more than ${MAX_HEADER_BYTES} bytes: send fewer.`,
  ],
  HPE_INVALID_URL: ['400 Bad Request', 'The URL has characters that must be percent-encoded: write ö as %C3%B6.'],
}
const MALFORMED = ['400 Bad Request', 'The request is not well-formed HTTP/1.1: send it again in that form.'] as const

/** Answers a request that is malformed or too slow, and closes the connection. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, text] = REFUSALS[error.code ?? ''] ?? MALFORMED
  const type = 'Content-Type: text/plain; charset=utf-8'
  const body = `${text}\n`
  socket.end(
    `HTTP/1.1 ${status}\r\n${type}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Limits reading of the rest of a body after an early answer. */
export function limitUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => request.complete || dropUnread(request, () => request.socket.destroy()))
}

/**
 * Finishes a request whose answer was sent before its body was complete. Closing the connection at once would discard the answer together
 * with the unread bytes, so `close` ends it a second later. Until then a little more is read, unless the body is declared longer.
 */
export function dropUnread(request: IncomingMessage, close: () => void): void {
  const { socket } = request
  const limit = socket.bytesRead + MAX_UNREAD_BYTES
  // A busy process may see the timer before the rest of the body, which has arrived. One more turn of the event loop lets it in.
  const cut = setTimeout(() => setImmediate(() => request.complete || close()), MAX_UNREAD_MS).unref()
  request.once('close', () => clearTimeout(cut))
  if (Number(request.headers['content-length'] ?? 0) > MAX_UNREAD_BYTES) return
  // Past the limit, reading simply stops.
  request.on('data', () => socket.bytesRead > limit && request.pause())
  request.resume()
}
