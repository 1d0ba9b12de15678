// Sends bodies that are in memory. The kernel copies what it is given at once: of 10 MB that took up to 20 ms of CPU time on a busy
// machine, in which nobody else was served. So a long body is given to it in pieces, and in a turn of the event loop there is one piece of
// one body: addresses take turns, and so do the bodies for each.

import type { ServerResponse } from 'node:http'
import { MAX_PIECE_BYTES } from '../../model/bytes.js'
import { Turns } from '../../threads/turns.js'
import { MIN_HELD_BYTES } from './held-bodies.js'

export class BodySender {
  readonly #waiting = new Turns<() => void>(Number.POSITIVE_INFINITY)
  #isTurnPlanned = false

  /** Ends the response, whose header section is written, to a visitor at this address. */
  send(response: ServerResponse, body: Buffer, address: string): void {
    if (response.destroyed) return
    if (body.length < MIN_HELD_BYTES) return void response.end(body)
    this.#waiting.add(address, () => this.#sendPiece(response, body, address))
    this.#planTurn()
  }

  #sendPiece(response: ServerResponse, body: Buffer, address: string): void {
    if (body.length <= MAX_PIECE_BYTES) return void response.end(body)
    response.write(body.subarray(0, MAX_PIECE_BYTES), (error) => {
      // A piece that was broken off has an error: nobody waits for the others.
      if (error === undefined || error === null) this.send(response, body.subarray(MAX_PIECE_BYTES), address)
    })
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#isTurnPlanned = false
    const next = this.#waiting.take(() => true)
    if (next === undefined) return
    next.job()
    this.#planTurn()
  }
}
