// Sends bodies that are in memory. A write copies all its bytes to the kernel at once. For 10 MB that blocked every other request for
// up to 20 ms of CPU time. So a long body is sent in pieces, one piece per turn of the event loop. Addresses take
// turns, and so do the bodies of one address.

import type { ServerResponse } from 'node:http'
import type { Gate } from '../../../admission/gate.js'
import { MAX_PIECE_BYTES } from '../../../model/bytes.js'
import { MIN_HELD_BYTES } from './held-bodies.js'

export class BodySender {
  readonly #gate: Gate

  constructor(gate: Gate) {
    this.#gate = gate
  }

  /** Sends the body to a visitor at this address and ends the response. The header section must already be written. */
  send(response: ServerResponse, body: Buffer, address: string): void {
    if (response.destroyed) return
    if (body.length < MIN_HELD_BYTES) return void response.end(body)
    // Asks only after the next sockets are read: otherwise two pieces could be sent between two readings.
    setImmediate(() => this.#sendInTurn(response, body, address))
  }

  #sendInTurn(response: ServerResponse, body: Buffer, address: string): void {
    this.#gate.run(
      () => this.#sendPiece(response, body, address),
      () => ({ owner: address }),
    )
  }

  #sendPiece(response: ServerResponse, body: Buffer, address: string): void {
    if (body.length <= MAX_PIECE_BYTES) return void response.end(body)
    response.write(body.subarray(0, MAX_PIECE_BYTES), (error) => {
      // On an error the connection has ended: the other pieces are not needed.
      if (error === undefined || error === null) this.send(response, body.subarray(MAX_PIECE_BYTES), address)
    })
  }
}
