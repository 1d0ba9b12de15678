// The way of a request from a worker to the primary process.

import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { forward } from '../forwarding/forward.js'

/** The handler of requests for the primary process, which listens at `socketPath`. It does not throw. */
export function forwardTo(socketPath: string): (request: IncomingMessage, response: ServerResponse) => void {
  const destination = { at: { socketPath }, agent: new Agent({ keepAlive: true }), onLost: breakOff }
  return (request, response) => {
    const upstream = forward(request, response, destination)
    if (upstream === undefined) return
    response.once('close', () => response.writableFinished || upstream.destroy())
  }
}

/** A request that was never sent is answered with 503; otherwise the connection ends, as it does when a single process ends. */
function breakOff(request: IncomingMessage, response: ServerResponse, isUnsent: boolean): void {
  if (!isUnsent) return void request.socket.destroy()
  response.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Retry-After': '1',
    Connection: 'close',
  })
  response.end('The service is too busy to accept this request. Try again in a second.\n')
}
