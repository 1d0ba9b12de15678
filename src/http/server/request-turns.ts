// Begins a few requests in each turn of the event loop, so that a client with a hundred requests does not hold up others. Client
// addresses take turns, and so do the credentials from one address.

import type { IncomingMessage } from 'node:http'
import { Turns } from '../../threads/turns.js'
import { countedAddressOf } from '../counted-address.js'
import { clientAddressOf, type IsTrusted } from '../trusted-proxies.js'

/** Beginning one takes up to half a millisecond. */
const MAX_A_TURN = 8

type Work = () => unknown

export class RequestTurns {
  readonly #isTrusted: IsTrusted
  /** Requests by client address, then by credential. The address whose turn is next comes first. */
  readonly #waiting = new Map<string, Turns<Work>>()
  #begun = 0

  constructor(isTrusted: IsTrusted) {
    this.#isTrusted = isTrusted
  }

  /** Runs the work for the request, now or in its turn. Refuses none: each open connection has at most one request that waits. */
  begin(request: IncomingMessage, work: Work): void {
    // Nothing waits below the limit: waiting requests are begun before the count falls below it.
    if (this.#begun < MAX_A_TURN) return this.#run(work)
    const address = countedAddressOf(clientAddressOf(request, this.#isTrusted) ?? '')
    const turns = this.#waiting.get(address) ?? new Turns<Work>(Number.POSITIVE_INFINITY)
    turns.add(request.headers.authorization ?? request.headers.cookie ?? '', work)
    this.#waiting.set(address, turns)
  }

  #run(work: Work): void {
    this.#begun += 1
    if (this.#begun === MAX_A_TURN) setImmediate(() => this.#nextTurn())
    work()
  }

  #nextTurn(): void {
    this.#begun = 0
    while (this.#begun < MAX_A_TURN) {
      const work = this.#take()
      if (work === undefined) return
      this.#run(work)
    }
  }

  #take(): Work | undefined {
    for (const [address, turns] of this.#waiting) {
      this.#waiting.delete(address)
      const next = turns.take(() => true)
      if (next === undefined) continue
      this.#waiting.set(address, turns)
      return next.job
    }
    return undefined
  }
}
