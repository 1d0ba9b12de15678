// A request's way from one node to another, with both servers in this process. The far side answers with what it
// has read, so that an answer shows which request it belongs to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { openInnerServer } from '../../src/forwarding/inner-server.js'
import { createHttpServer } from '../../src/http/server/http-server.js'
import { isOfPeer, Peers } from '../../src/nodes/peers.js'
import { freePort } from '../servers/ports.js'

export const LIMITS = {
  headersTimeoutSeconds: 60,
  requestTimeoutSeconds: 60,
  keepAliveSeconds: 60,
  maxConnections: 1000,
  maxConnectionsPerAddress: 1000,
  maxRequestsPerConnection: 1000,
  minBytesPerSecond: 0,
  slowSeconds: 60,
}
const SECRET = 'shared by all nodes'
/** The connection that was used last serves the next request; a few more look at the others. */
const INNOCENTS = 3

export class Relay {
  readonly port: number
  readonly #servers: readonly Server[]
  readonly #arrived: string[]
  readonly #close: () => void
  #innocents = 0

  private constructor(far: Server, near: Server, arrived: string[], close: () => void) {
    this.#servers = [near, far]
    this.#arrived = arrived
    this.#close = close
    this.port = (near.address() as AddressInfo).port
  }

  static async open(): Promise<Relay> {
    const port = await freePort()
    const arrived: string[] = []
    const far = await openInnerServer({
      at: { host: '127.0.0.1', port },
      handle: (request, response) => void echo(request, response, arrived),
      answersItself(request, response) {
        const isStranger = !isOfPeer(request, SECRET)
        if (isStranger) response.writeHead(403).end()
        return isStranger
      },
    })
    const peers = new Peers(SECRET, () => undefined)
    const toNode = (request: IncomingMessage, response: ServerResponse) => {
      peers.pass(`127.0.0.1:${port}`, request, response, () => response.writeHead(503).end())
    }
    const near = createHttpServer(LIMITS, [], toNode).listen(0, '127.0.0.1')
    await once(near, 'listening')
    return new Relay(far, near, arrived, () => peers.close())
  }

  /** Sends these bytes on a connection of its own, and answers everything that comes back until it is closed. */
  async send(bytes: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1')
    socket.write(bytes)
    return await text(socket)
  }

  /** Throws unless other clients, one after the other, get the answers to their own requests. */
  async assertInStep(): Promise<void> {
    for (let i = 0; i < INNOCENTS; i++) {
      const own = `GET /innocent/${this.#innocents++}`
      const answer = await this.send(`${own} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      assert.equal(bodyOf(answer), `${own} 127.0.0.1 ""`, answer)
    }
  }

  /** The requests that reached the far side since the last call, without those of `assertInStep`. */
  takeArrived(): string[] {
    return this.#arrived.splice(0).filter((line) => !line.startsWith('GET /innocent/'))
  }

  stop(): void {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
    this.#close()
  }
}

/** A body that does not come whole gets no answer. */
async function echo(request: IncomingMessage, response: ServerResponse, arrived: string[]): Promise<void> {
  const body = request.url === '/unread' ? 'unread' : await text(request).catch(() => undefined)
  const said = `${request.method} ${request.url} ${request.socket.remoteAddress} ${JSON.stringify(body)}`
  arrived.push(said)
  if (body !== undefined) response.end(said)
}

export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n(.*)\r\n0\r\n\r\n$/s, '$1')
}
