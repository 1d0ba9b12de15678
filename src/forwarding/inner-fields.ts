// Fields that processes of one service add to a request which they pass on, or to its answer, and never accept from a client: the
// client's address, between nodes their secret, and in an answer to a worker where its body is.

import type { IncomingMessage } from 'node:http'

export const CLIENT_ADDRESS = 'X-Palimpsest-Client-Address'
export const NODE_SECRET = 'X-Palimpsest-Node-Secret'
/** The name under which a worker has the body from the program that prints it (see Program), and how many bytes it may be. */
export const PRINTED_BODY = 'X-Palimpsest-Printed-Body'

const ofWorkers = new WeakSet<IncomingMessage>()

/** It came from a worker of this process. */
export function noteOfWorker(request: IncomingMessage): void {
  ofWorkers.add(request)
}

export function isOfWorker(request: IncomingMessage): boolean {
  return ofWorkers.has(request)
}

/** Sets the socket's remote address to the client's. A connection between processes carries one request at a time. */
export function restoreClientAddress(request: IncomingMessage): void {
  const value = request.headers[CLIENT_ADDRESS.toLowerCase()]
  Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true })
}
