// Which new connections are served first. Node accepts one in each turn of the event loop, which is cheap; to serve it is not. An
// address that has many open waits with further ones until no connection comes: whoever opens a hundred at once holds up nobody who
// connects after that.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Turns } from '../../threads/turns.js'
import { countedAddressOf } from '../counted-address.js'
import type { IsTrusted } from '../trusted-proxies.js'

/** A browser has six open to a host. */
const MAX_AT_ONCE = 16
const MAX_A_TURN = 4
/** Others may connect all the time. */
const MAX_WAIT_MS = 50

/**
 * Destroys connections of an address that has more than `max` open, and lets those of a crowded one wait. Trusted proxies, which connect
 * for many clients, are not counted. Called before anybody else listens for connections.
 */
export function takeConnectionsInTurns(
  server: Server,
  max: number,
  isTrusted: IsTrusted,
  now: () => number = () => performance.now(),
): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  const line = new Line((socket) => {
    for (const listener of listeners) listener.call(server, socket)
  }, now)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    line.noteArrival()
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return line.serve(socket)
    const address = countedAddressOf(remoteAddress)
    const count = (open.get(address) ?? 0) + 1
    if (count > max) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (count > MAX_AT_ONCE) line.add(address, socket)
    else line.serve(socket)
  })
}

class Line {
  /** What comes on the connection before is kept for it. */
  readonly serve: (socket: Socket) => void
  readonly #waiting = new Turns<Socket>(Number.POSITIVE_INFINITY)
  #isTurnDue = false
  #hasArrival = false
  readonly #now: () => number
  /** When the first of those that wait came, by the monotonic clock. */
  #since = 0

  constructor(serve: (socket: Socket) => void, now: () => number) {
    this.serve = serve
    this.#now = now
  }

  noteArrival(): void {
    this.#hasArrival = true
  }

  add(address: string, socket: Socket): void {
    // Without a listener the end of the connection would end the process.
    socket.on('error', ignore)
    this.#waiting.add(address, socket)
    if (this.#isTurnDue) return
    this.#since = this.#now()
    this.#planTurn()
  }

  #planTurn(): void {
    this.#isTurnDue = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    const mustWait = this.#hasArrival && this.#now() - this.#since < MAX_WAIT_MS
    this.#hasArrival = false
    if (mustWait) return this.#planTurn()
    for (let served = 0; served < MAX_A_TURN; served++) {
      const next = this.#waiting.take(() => true)
      if (next === undefined) return void (this.#isTurnDue = false)
      next.job.off('error', ignore)
      if (!next.job.destroyed) this.serve(next.job)
    }
    this.#planTurn()
  }
}

function ignore(): void {}
