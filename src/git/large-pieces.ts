// Reads what git prints in pieces that are worth passing on: git prints a pack some kilobytes at a time, and each piece costs a process
// as much as a large one.

import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** After a shorter piece, more is waited for. */
const LARGE_PIECE_BYTES = 64 * 1024
const GATHER_MS = 1

/** Throws past so many bytes. */
export async function* inLargePieces(printed: Readable, maxBytes: number): AsyncGenerator<Buffer, void> {
  let bytes = 0
  for await (const piece of printed as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    yield piece
    if (piece.length < LARGE_PIECE_BYTES) await pause(GATHER_MS)
  }
}
