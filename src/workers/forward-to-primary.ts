// The way of a request from a worker to the primary process.

import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { forward } from '../forwarding/forward.js'
import { PRINTED_BODY } from '../forwarding/inner-fields.js'
import { inLargePieces } from '../git/large-pieces.js'
import { connectStream } from '../programs/messages.js'

/**
 * The handler of requests for the primary process, which listens at `socketPath`, and whose programs are started by the process at
 * `starterPath`. It does not throw.
 */
export function forwardTo({
  socketPath,
  starterPath,
}: {
  socketPath: string
  starterPath: string
}): (request: IncomingMessage, response: ServerResponse) => void {
  const own = randomUUID()
  const destination = {
    at: { socketPath },
    agent: new Agent({ keepAlive: true }),
    fields: [PRINTED_BODY, own],
    onLost: breakOff,
    bodyOf: (answer: IncomingMessage) => printedBodyOf(answer, own, starterPath),
  }
  return (request, response) => {
    const upstream = forward(request, response, destination)
    if (upstream === undefined) return
    response.once('close', () => response.writableFinished || upstream.destroy())
  }
}

/**
 * What a program prints for a client comes to this process from the program itself: it would cost the primary as much again. Nobody but
 * the primary knows what such a name begins with.
 */
function printedBodyOf(
  { headers }: IncomingMessage,
  own: string,
  starterPath: string,
): AsyncIterable<Buffer> | undefined {
  const [reader = '', maxBytes] = String(headers[PRINTED_BODY.toLowerCase()] ?? '').split(' ')
  if (!reader.startsWith(own)) return undefined
  return inLargePieces(
    connectStream(starterPath, reader, 'stdout', () => undefined),
    Number(maxBytes),
  )
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
