// The Unix socket in the data directory over which workers forward requests to the primary process. Only the directory's
// owner can connect to it.

import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { RequestHandler } from '../host/door.js'
import { MAX_HEADER_BYTES } from '../http/server/http-server.js'
import { RequestTurns } from '../http/server/request-turns.js'
import { trustIn } from '../http/trusted-proxies.js'
import { restoreClientAddress } from './client-address.js'

/** Room for the client's address and the framing that a worker adds. */
const ADDED_HEADER_BYTES = 1024

/** A worker connects more quickly than this process accepts; the kernel may allow fewer (net.core.somaxconn, 4,096 by default). */
const MAX_WAITING_CONNECTIONS = 10_000

/** Returns a function that closes the socket. The caller holds the data directory's lock, so an existing socket is stale. */
export async function openPrimaryDoor(
  socketPath: string,
  handle: RequestHandler,
  trustedProxies: readonly string[],
): Promise<() => void> {
  const turns = new RequestTurns(trustIn(trustedProxies))
  const begin = (request: IncomingMessage, response: ServerResponse) =>
    turns.begin(request, () => response.destroyed || handle(request, response))
  // Workers hold the connections to clients and enforce the time limits.
  const server = createServer({
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES + ADDED_HEADER_BYTES,
  })
  server.on('request', (request, response) => {
    restoreClientAddress(request)
    begin(request, response)
  })
  server.on('checkContinue', (request, response) => {
    restoreClientAddress(request)
    askForBody(request, response)
    begin(request, response)
  })
  rmSync(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: socketPath, backlog: MAX_WAITING_CONNECTIONS }, resolve)
  })
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

/** Asks the worker for the body (RFC 9110 §10.1.1) once it is read. What is read after the answer has begun is only dropped. */
function askForBody(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request)
  request._read = (size) => {
    request._read = read
    if (!response.headersSent) response.writeContinue()
    read(size)
  }
}
