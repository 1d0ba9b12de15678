// Fields that processes of one service add to a request which they pass on, or to its answer, and never accept from a client or a
// site: the client's address, between nodes their secret, and for a worker where the body of an answer is.

import type { IncomingMessage } from 'node:http'

export const CLIENT_ADDRESS = 'X-Palimpsest-Client-Address'
export const NODE_SECRET = 'X-Palimpsest-Node-Secret'
/**
 * In a request: a random name of the worker that passes it on. In the answer: the name under which that worker has the body from the
 * program that prints it (see Program), which begins with its own, and how many bytes it may be.
 */
export const PRINTED_BODY = 'X-Palimpsest-Printed-Body'

/** Sets the socket's remote address to the client's. A connection between processes carries one request at a time. */
export function restoreClientAddress(request: IncomingMessage): void {
  const value = request.headers[CLIENT_ADDRESS.toLowerCase()]
  Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true })
}
