// The thread that packs large blobs: two SHA-1 and two more checksums of each byte would keep the serving thread busy too long. Pieces
// of several blobs may arrive interleaved.

import type { Oid } from '../../git/objects/oid.js'
import { type PackFiles, WrongBlob, writeBlobPack } from '../../git/streams/pack-stream.js'
import { serveRequests } from '../../threads/serve.js'
import { toFailure } from '../protocol/failure.js'

/** A blob of `size` bytes, whose pack is made in `folder`. */
export interface BlobToPack {
  folder: string
  name: string
  size: number
  /** The expected oid of the blob. */
  oid?: Oid
}

export interface BlobProtocol {
  request:
    | ({ kind: 'begin'; blob: number } & BlobToPack)
    /** A piece; all but the last one have PIECE_BYTES. */
    | { kind: 'piece'; blob: number; memory: ArrayBuffer; bytes: number }
    /** The end of the pieces. If bytes are missing, the blob is wrong. */
    | { kind: 'end'; blob: number }
  /** Answers to `begin`: the durable pack, or the reason why there is none. Answer to `piece`: its memory, which may be filled again. */
  answer: { oid: Oid; pack: PackFiles } | { wrong: WrongBlob['reason'] } | { memory: ArrayBuffer } | 'ended'
  event: never
}

type Piece = Extract<BlobProtocol['request'], { kind: 'piece' }> & { ticket: number }

/** The pieces of one blob, in their order. */
class Pieces implements AsyncIterable<Buffer> {
  readonly #waiting: Piece[] = []
  #isOver = false
  #wake: () => void = () => undefined

  add(piece: Piece): void {
    this.#waiting.push(piece)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Answers pieces that will not be read. */
  drop(): void {
    for (const piece of this.#waiting.splice(0)) giveBack(piece)
  }

  /** Yields the pieces. A piece is written when the next one is requested, so its memory is then given back. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = this.#waiting.shift()
      if (piece !== undefined) {
        try {
          yield Buffer.from(piece.memory, 0, piece.bytes)
        } finally {
          // The last piece may still wait to be written with later bytes, so its memory is not given back.
          if (piece.bytes === piece.memory.byteLength) giveBack(piece)
          else say({ replies: [{ ticket: piece.ticket, answer: 'ended' }] })
        }
      } else if (this.#isOver) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/** Blobs that are being packed. */
const blobs = new Map<number, Pieces>()

const say = serveRequests<BlobProtocol>((request, ticket) => {
  const pieces = blobs.get(request.blob)
  switch (request.kind) {
    case 'begin':
      return void pack(request, ticket)
    case 'piece':
      // A piece of a blob that failed before.
      if (pieces === undefined) return giveBack({ ...request, ticket })
      return pieces.add({ ...request, ticket })
    case 'end':
      pieces?.end()
      say({ replies: [{ ticket, answer: 'ended' }] })
  }
})

async function pack(
  { blob, folder, name, size, oid }: Extract<BlobProtocol['request'], { kind: 'begin' }>,
  ticket: number,
): Promise<void> {
  const pieces = new Pieces()
  blobs.set(blob, pieces)
  try {
    say({ replies: [{ ticket, answer: await writeBlobPack(folder, name, pieces, size, oid) }] })
  } catch (error) {
    if (error instanceof WrongBlob) say({ replies: [{ ticket, answer: { wrong: error.reason } }] })
    else say({ replies: [{ ticket, failure: toFailure(error) }] })
  } finally {
    blobs.delete(blob)
    pieces.drop()
  }
}

function giveBack({ ticket, memory }: Pick<Piece, 'ticket' | 'memory'>): void {
  say({ replies: [{ ticket, answer: { memory } }] }, [memory])
}
