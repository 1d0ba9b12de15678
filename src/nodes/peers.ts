// The other nodes as this one reaches them, at the inner addresses that they gave: whether one answers, and requests that it is to
// carry out. A node that does not answer is passed over for a second.

import { createHash, timingSafeEqual } from 'node:crypto'
import { Agent, type ClientRequest, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import { forward } from '../forwarding/forward.js'
import { NODE_SECRET } from '../forwarding/inner-fields.js'
import { SharedRun } from '../threads/shared-run.js'

/** A node that answers nothing for so long is passed over: it is frozen, cut off or very busy. */
const SILENCE_MS = 1000
const PASSED_OVER_MS = 1000
/** How often a node is asked whether it is still there while a request waits for its answer. */
const WATCH_MS = 1000

interface Peer {
  at: { host: string; port: number }
  asks: SharedRun<boolean>
  /** Monotonic milliseconds. */
  silentUntil: number
}

/** Answers a request that another node was to carry out. `isUnsent`: that one has surely not done it. */
export type OnLost = (request: IncomingMessage, response: ServerResponse, isUnsent: boolean) => void

export class Peers {
  readonly #secret: string
  readonly #agent = new Agent({ keepAlive: true })
  readonly #peers = new Map<string, Peer>()
  readonly #onSilent: (address: string, reason: string) => void

  /** `onSilent` is told of each node that does not answer, when it is passed over. */
  constructor(secret: string, onSilent: (address: string, reason: string) => void) {
    this.#secret = secret
    this.#onSilent = onSilent
  }

  /** Whether the node answers a question that is asked after this call. */
  async answers(address: string): Promise<boolean> {
    const peer = this.#peerAt(address)
    return performance.now() >= peer.silentUntil && (await peer.asks.after())
  }

  /** Has the node at this address carry out the request. */
  pass(address: string, request: IncomingMessage, response: ServerResponse, onLost: OnLost): void {
    const { at } = this.#peerAt(address)
    const fields = [NODE_SECRET, this.#secret]
    const upstream = forward(request, response, { at, agent: this.#agent, fields, onLost })
    if (upstream === undefined) return
    const unwatch = this.#watch(address, upstream)
    upstream.once('response', unwatch).once('close', unwatch)
    response.once('close', () => response.writableFinished || upstream.destroy())
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Breaks off a request that waits for a node which is there no more. */
  #watch(address: string, upstream: ClientRequest): () => void {
    const timer = setInterval(() => {
      void this.answers(address).then((isThere) => isThere || upstream.destroy(new Error('the node is silent')))
    }, WATCH_MS)
    return () => clearInterval(timer)
  }

  #peerAt(address: string): Peer {
    const known = this.#peers.get(address)
    if (known !== undefined) return known
    const colon = address.lastIndexOf(':')
    const at = { host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(colon + 1)) }
    const peer: Peer = { at, silentUntil: 0, asks: new SharedRun(() => this.#ask(address, peer)) }
    this.#peers.set(address, peer)
    return peer
  }

  async #ask(address: string, peer: Peer): Promise<boolean> {
    const reason = await this.#whySilent(peer)
    if (reason === undefined) return true
    peer.silentUntil = performance.now() + PASSED_OVER_MS
    this.#onSilent(address, reason)
    return false
  }

  /** `OPTIONS *` asks for nothing but an answer (RFC 9110 §9.3.7). */
  #whySilent({ at }: Peer): Promise<string | undefined> {
    return new Promise((resolve) => {
      const headers = { [NODE_SECRET]: this.#secret }
      const asked = ask({ ...at, agent: this.#agent, method: 'OPTIONS', path: '*', headers })
      const late = setTimeout(() => asked.destroy(new Error(`no answer within ${SILENCE_MS} ms`)), SILENCE_MS)
      asked.on('response', (answer) => {
        answer.resume()
        const { statusCode } = answer
        resolve(statusCode === 204 ? undefined : `it answers ${statusCode}`)
      })
      asked.on('error', (error) => resolve(error.message))
      asked.on('close', () => clearTimeout(late))
      asked.end()
    })
  }
}

/** Whether the request is from a node with the same secret. Takes as long for each wrong one. */
export function isOfPeer({ headers }: IncomingMessage, secret: string): boolean {
  const sent = headers[NODE_SECRET.toLowerCase()]
  return typeof sent === 'string' && timingSafeEqual(digestOf(sent), digestOf(secret))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
