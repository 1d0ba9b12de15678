// The address of a client, carried from the worker that has the connection to the primary, so that whoever reads it there
// reads what was true. Never taken from a client: a worker leaves out a field of this name that it was sent.

import type { IncomingMessage } from 'node:http'

export const CLIENT_ADDRESS = 'X-Palimpsest-Client-Address'

/** Makes the socket say for this request where the client is. A connection between the two carries one request at a time. */
export function restoreClientAddress(request: IncomingMessage): void {
  const value = request.headers[CLIENT_ADDRESS.toLowerCase()]
  Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true })
}
