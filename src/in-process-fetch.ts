// `fetch` to a handler of this process: node's own request and response with no connection between them, so that a handler sees no
// difference, and nobody waits for a parser or for packets.

import { once } from 'node:events'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'

/** What the requests carry of the one that they are made for. */
export interface OnBehalfOf {
  /** The address that it came from. */
  remoteAddress: string | undefined
  headers: Readonly<Record<string, string>>
}

type Fetch = (request: Request) => Promise<Response>

const HEAD_END = '\r\n\r\n'

export function createInProcessFetch(handler: RequestListener): (caller: OnBehalfOf) => Fetch {
  return ({ remoteAddress, headers }) =>
    async (request) => {
      const wire = new Wire(remoteAddress)
      const incoming = await toIncoming(request, wire, headers)
      const outgoing = new ServerResponse(incoming)
      outgoing.assignSocket(wire as unknown as Socket)
      try {
        const written = once(outgoing, 'finish', { signal: request.signal })
        handler(incoming, outgoing)
        await written
      } finally {
        // As at the end of a connection: the handler hears of it, whether its answer was read or not.
        wire.destroy()
      }
      return toResponse(outgoing.statusCode, Buffer.concat(wire.written))
    }
}

/** In the place of a connection: keeps what is written. There is nothing to read: the request is there already. */
class Wire extends Writable {
  readonly remoteAddress: string | undefined
  readonly written: Buffer[] = []

  constructor(remoteAddress: string | undefined) {
    super()
    this.remoteAddress = remoteAddress
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk)
    done()
  }
}

/** Of HTTP/1.0, so that the answer is not cut into chunks. */
async function toIncoming(
  request: Request,
  wire: Wire,
  further: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(request.url)
  const incoming = new IncomingMessage(wire as unknown as Socket)
  const headers = { host, ...Object.fromEntries(request.headers), ...further }
  const fields = Object.entries(headers)
  Object.assign(incoming, {
    httpVersion: '1.0',
    httpVersionMajor: 1,
    httpVersionMinor: 0,
    method: request.method,
    url: pathname + search,
    headers,
    headersDistinct: Object.fromEntries(fields.map(([name, value]) => [name, [value]])),
    rawHeaders: fields.flat(),
    complete: true,
  })
  if (request.body !== null) incoming.push(Buffer.from(await request.arrayBuffer()))
  incoming.push(null)
  return incoming
}

function toResponse(status: number, written: Buffer): Response {
  const end = written.indexOf(HEAD_END)
  const [, ...lines] = written.toString('latin1', 0, end).split('\r\n')
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1))
  const body = written.subarray(end + HEAD_END.length)
  return new Response(body.length === 0 ? null : body, { status, headers })
}
