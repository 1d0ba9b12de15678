// Carries a client's address from the worker that holds the connection to the primary process, in a field that workers never
// accept from a client.

import type { IncomingMessage } from 'node:http'

export const CLIENT_ADDRESS = 'X-Palimpsest-Client-Address'

/** Sets the socket's remote address to the client's. A connection between worker and primary carries one request at a time. */
export function restoreClientAddress(request: IncomingMessage): void {
  const value = request.headers[CLIENT_ADDRESS.toLowerCase()]
  Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true })
}
