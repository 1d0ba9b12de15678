// Reads git's output in larger pieces. Packs come a few kilobytes at a time, and a small piece costs a process as much as a large one.

import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** After a shorter piece, it waits for more. */
const LARGE_PIECE_BYTES = 64 * 1024
const GATHER_MS = 1

/** Yields the output. */
export async function* inLargePieces(printed: Readable): AsyncGenerator<Buffer, void> {
  for await (const piece of printed as AsyncIterable<Buffer>) {
    yield piece
    if (piece.length < LARGE_PIECE_BYTES) await pause(GATHER_MS)
  }
}
