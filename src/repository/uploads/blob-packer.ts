// Packs large blobs in a thread of their own while their bytes arrive: the serving thread only copies them once.

import type { Oid } from '../../git/objects/oid.js'
import { type PackFiles, removePack, WrongBlob } from '../../git/streams/pack-stream.js'
import { join } from 'node:path'
import { ServiceError } from '../../model/errors.js'
import { ThreadClient } from '../../threads/client.js'
import { ENTRIES } from '../../threads/entries.js'
import type { BlobProtocol, BlobToPack } from './blob-thread.js'

/** Two pieces of a blob are in memory: one is being filled while the other is written. */
const PIECE_BYTES = 1024 * 1024
/** The memory that comes back for the last piece. */
const NO_MEMORY = new ArrayBuffer(0)

export class BlobPacker {
  readonly #thread = new ThreadClient<BlobProtocol>({ entry: ENTRIES.blobThread, lost: storageFailed })
  #count = 0

  /** Makes a durable pack of one blob. Throws WrongBlob, `storage_full`, `storage_failed`, and the source's errors; no files then stay. */
  async pack(blob: BlobToPack, source: AsyncIterable<Buffer>): Promise<{ oid: Oid; pack: PackFiles }> {
    const number = ++this.#count
    let isOver = false
    const made = this.#thread.ask({ kind: 'begin', blob: number, ...blob }).finally(() => (isOver = true))
    made.catch(() => undefined)
    try {
      await this.#send(number, source, () => isOver)
      await this.#thread.ask({ kind: 'end', blob: number })
      const answer = await made
      if (typeof answer === 'object' && 'pack' in answer) return answer
      throw new WrongBlob(typeof answer === 'object' && 'wrong' in answer ? answer.wrong : 'size')
    } catch (error) {
      await this.#thread.ask({ kind: 'end', blob: number }).catch(() => undefined)
      await made.catch(() => undefined)
      await removePack(join(blob.folder, blob.name))
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#thread.close(new ServiceError('shutting_down', 'The service is stopping: try again shortly.'))
  }

  /** Sends the source in pieces, until it ends or the blob is known to be wrong. */
  async #send(blob: number, source: AsyncIterable<Buffer>, isOver: () => boolean): Promise<void> {
    let memory = new ArrayBuffer(PIECE_BYTES)
    let room = Buffer.from(memory)
    let returned = Promise.resolve(new ArrayBuffer(PIECE_BYTES))
    let filled = 0
    const sendPiece = async () => {
      const next = returned
      returned = this.#thread
        .ask({ kind: 'piece', blob, memory, bytes: filled }, [memory])
        .then((answer) => (typeof answer === 'object' && 'memory' in answer ? answer.memory : NO_MEMORY))
      returned.catch(() => undefined)
      memory = await next
      room = Buffer.from(memory)
      filled = 0
    }
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; ) {
        const copied = chunk.copy(room, filled, at)
        at += copied
        filled += copied
        if (filled === room.length) await sendPiece()
      }
      if (isOver()) return
    }
    if (filled > 0) await sendPiece()
  }
}

function storageFailed(cause: unknown): ServiceError {
  return Object.assign(
    new ServiceError('storage_failed', 'The storage refused the write. Nothing was written; try again.'),
    { cause },
  )
}
