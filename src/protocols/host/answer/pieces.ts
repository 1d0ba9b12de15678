// Spans of bytes that are made, not read from the repository.

import type { Span } from '../../http/byte-range.js'
import type { Content } from './representation.js'
import type { Source } from './file-sender.js'

const EVERYTHING: Span = { start: 0, end: Infinity }

/** Returns a source of bytes that are in memory. */
export function sourceOf(content: Content, bytes: Buffer): Source {
  return { ...content, read: async () => bytes, pieces: (span) => onePiece(bytes, span) }
}

/** Yields the bytes of the span from pieces that begin at 0. */
export async function* cut(pieces: AsyncIterable<Buffer>, { start, end }: Span = EVERYTHING): AsyncGenerator<Buffer> {
  let at = 0
  for await (const piece of pieces) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, piece.length)]
    at += piece.length
    if (from < to) yield piece.subarray(from, to)
    if (at >= end) return
  }
}

async function* onePiece(body: Buffer, { start, end }: Span = EVERYTHING): AsyncGenerator<Buffer> {
  yield body.subarray(start, end)
}
