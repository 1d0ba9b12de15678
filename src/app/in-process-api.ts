// The API for the tools of this process: its handler, given node's own request and response with no connection between them. A
// handler sees no difference, and nobody waits for a parser or for packets.

import { once } from 'node:events'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { vouchFor } from '../api/sign-in/principal-of.js'
import { Refusal } from '../client/refusal.js'
import { urlOf } from '../client/request-url.js'
import type { AskApi, Envelope } from '../mcp/send-request.js'
import type { Principal } from '../model/principal.js'

/** Whom requests are made for: he was let in with the one that he sent, of which they carry this. */
export interface OnBehalfOf {
  principal: Principal
  /** The address that it came from. */
  remoteAddress: string | undefined
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>
}

const HEAD_END = '\r\n\r\n'

/** `handler` takes the requests of the host of `baseUrl`. */
export function createInProcessApi(baseUrl: string, handler: RequestListener): (caller: OnBehalfOf) => AskApi {
  const { host } = new URL(baseUrl)
  return ({ principal, remoteAddress, headers: ofCaller }) =>
    async ({ method, path, params, body }, signal) => {
      const wire = new Wire(remoteAddress)
      const headers: Record<string, string> = { host, ...ofCaller }
      for (const [name, value] of Object.entries(params.header)) headers[name.toLowerCase()] = String(value)
      if (body !== undefined) headers['content-type'] = 'application/json'
      const incoming = toIncoming(wire, headers, body)
      incoming.method = method.toUpperCase()
      incoming.url = urlOf(path, params)
      vouchFor(incoming, principal)
      const outgoing = new ServerResponse(incoming)
      outgoing.assignSocket(wire as unknown as Socket)
      try {
        const written = once(outgoing, 'finish', { signal })
        handler(incoming, outgoing)
        await written
      } finally {
        // As at the end of a connection: the handler hears of it, whether its answer was read or not.
        wire.destroy()
      }
      const answer = JSON.parse(wire.body()) as Envelope
      if (outgoing.statusCode < 300) return answer
      throw new Refusal(new Response(null, { status: outgoing.statusCode }), answer)
    }
}

/** In the place of a connection: keeps what is written. There is nothing to read: the request is there already. */
class Wire extends Writable {
  readonly remoteAddress: string | undefined
  readonly #written: Buffer[] = []

  constructor(remoteAddress: string | undefined) {
    super()
    this.remoteAddress = remoteAddress
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#written.push(chunk)
    done()
  }

  /** What is after the head. */
  body(): string {
    const written = Buffer.concat(this.#written)
    return written.toString('utf8', written.indexOf(HEAD_END) + HEAD_END.length)
  }
}

/** Of HTTP/1.0, so that the answer is not cut into chunks. */
function toIncoming(wire: Wire, headers: Readonly<Record<string, string>>, body: unknown): IncomingMessage {
  const incoming = new IncomingMessage(wire as unknown as Socket)
  const fields = Object.entries(headers)
  Object.assign(incoming, {
    httpVersion: '1.0',
    httpVersionMajor: 1,
    httpVersionMinor: 0,
    headers,
    headersDistinct: Object.fromEntries(fields.map(([name, value]) => [name, [value]])),
    rawHeaders: fields.flat(),
    complete: true,
  })
  if (body !== undefined) incoming.push(Buffer.from(JSON.stringify(body)))
  incoming.push(null)
  return incoming
}
