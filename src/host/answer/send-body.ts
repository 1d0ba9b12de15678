// Sends a body that is in memory. The kernel copies what it is given at once: of 10 MB that took up to 20 ms of CPU time on a busy
// machine, in which nobody else was served. So a long body is given to it in pieces, one in a turn of the event loop.

import type { ServerResponse } from 'node:http'
import { MAX_PIECE_BYTES } from '../../model/bytes.js'

/** Ends the response, whose header section is written. */
export function sendBody(response: ServerResponse, body: Buffer): void {
  if (response.destroyed) return
  if (body.length <= MAX_PIECE_BYTES) return void response.end(body)
  const sendRest = () => sendBody(response, body.subarray(MAX_PIECE_BYTES))
  response.write(body.subarray(0, MAX_PIECE_BYTES), (error) => {
    // A piece that was broken off has an error: nobody waits for the others.
    if (error === undefined || error === null) setImmediate(sendRest)
  })
}
