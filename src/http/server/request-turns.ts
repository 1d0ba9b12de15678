// Begins a few requests in one turn of the event loop and the others in later turns: whoever sends a hundred at once holds up nobody
// else. Client addresses take turns, and so do the credentials that come from one address. The process that accepted the connection
// does this, and no other.

import type { IncomingMessage } from 'node:http'
import { Turns } from '../../threads/turns.js'
import { countedAddressOf } from '../counted-address.js'
import { clientAddressOf, type IsTrusted } from '../trusted-proxies.js'

/** To begin one takes up to half a millisecond. */
const MAX_A_TURN = 8

type Work = () => unknown

export class RequestTurns {
  readonly #isTrusted: IsTrusted
  /** By client address, each by credential; the address whose turn is next comes first. */
  readonly #waiting = new Map<string, Turns<Work>>()
  #begun = 0

  constructor(isTrusted: IsTrusted) {
    this.#isTrusted = isTrusted
  }

  /** Does the work for the request, at once or in its turn. None is refused: an open connection has one request that waits. */
  begin(request: IncomingMessage, work: Work): void {
    // Nothing waits: what does is begun before the count is below its limit.
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
