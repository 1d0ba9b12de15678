// Which new connections are served, and when. To accept one is cheap; what it then asks for is not. Of an address that has many open
// each further one waits for its turn: whoever opens a hundred at once has them served one after the other, between everybody else's.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Turns } from '../../threads/turns.js'
import { countedAddressOf } from '../counted-address.js'
import type { IsTrusted } from '../trusted-proxies.js'

/** A browser has six open to a host. */
const MAX_AT_ONCE = 16
/** A request that comes with one takes a millisecond or two of this process and the next. */
const TURN_MS = 4
/** Each of another address. */
const MAX_A_TURN = 4

interface Address {
  open: number
  /** Of those that are open. The others wait. */
  served: number
}

/**
 * Destroys connections of an address that has more than `max` open, and serves those past MAX_AT_ONCE in turns. Trusted proxies, which
 * connect for many clients, are not counted. Called before anybody else listens for connections.
 */
export function takeConnectionsInTurns(server: Server, max: number, isTrusted: IsTrusted, turnMs = TURN_MS): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  const serve = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket)
  }
  const addresses = new Addresses(serve, turnMs)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress)) serve(socket)
    else addresses.take(countedAddressOf(remoteAddress), socket, max)
  })
}

class Addresses {
  readonly #known = new Map<string, Address>()
  /** What comes on a connection before it is served is kept for it. */
  readonly #waiting = new Turns<Socket>(Number.POSITIVE_INFINITY)
  readonly #serve: (socket: Socket) => void
  readonly #turnMs: number
  #isTurnPlanned = false

  constructor(serve: (socket: Socket) => void, turnMs: number) {
    this.#serve = serve
    this.#turnMs = turnMs
  }

  take(name: string, socket: Socket, max: number): void {
    const address = this.#known.get(name) ?? { open: 0, served: 0 }
    if (address.open >= max) return void socket.destroy()
    address.open += 1
    this.#known.set(name, address)
    socket.once('close', () => {
      address.open -= 1
      if (address.open === 0) this.#known.delete(name)
    })
    if (address.served < MAX_AT_ONCE) return this.#begin(name, address, socket)
    // Without a listener the end of the connection would end the process.
    socket.on('error', ignore)
    this.#waiting.add(name, socket)
    this.#planTurn()
  }

  #begin(name: string, address: Address, socket: Socket): void {
    address.served += 1
    socket.once('close', () => {
      address.served -= 1
      if (address.served < MAX_AT_ONCE) this.#beginNext((other) => other === name)
    })
    this.#serve(socket)
  }

  /** The address of the connection that is served now. */
  #beginNext(mayBegin: (name: string) => boolean): string | undefined {
    for (;;) {
      const next = this.#waiting.take(mayBegin)
      if (next === undefined) return undefined
      const { workspaceId: name, job: socket } = next
      socket.off('error', ignore)
      const address = this.#known.get(name)
      if (socket.destroyed || address === undefined) continue
      this.#begin(name, address, socket)
      return name
    }
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setTimeout(() => this.#takeTurn(), this.#turnMs).unref()
  }

  #takeTurn(): void {
    this.#isTurnPlanned = false
    const begun = new Set<string>()
    while (begun.size < MAX_A_TURN) {
      const name = this.#beginNext((other) => !begun.has(other))
      if (name === undefined) break
      begun.add(name)
    }
    if (begun.size > 0) this.#planTurn()
  }
}

function ignore(): void {}
