// Makes a pack durable piece by piece while git receives it. git syncs a pack only at its end, and publishes on the same disk wait for
// all of it. Measured on ext4 with 300 MiB, they wait 130 to 150 ms, and 15 to 20 ms with pieces of 4 MiB.

import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const SYNC_EVERY_BYTES = 4 * 1024 * 1024

/** The pack that git is writing into a folder. */
export class GrowingPack {
  readonly #folder: string
  #file: FileHandle | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Passes on the chunks as they come; holds them back while the disk is a piece behind. */
  async *syncAlong(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    let unsynced = 0
    let syncing: Promise<void> | undefined
    try {
      for await (const chunk of chunks) {
        yield chunk
        unsynced += chunk.length
        if (unsynced < SYNC_EVERY_BYTES) continue
        unsynced = 0
        await syncing
        syncing = this.#sync()
      }
    } finally {
      await syncing
      await this.#file?.close()
    }
  }

  /** Never rejects: an error here comes again when the whole pack is synced. */
  async #sync(): Promise<void> {
    try {
      this.#file ??= await this.#open()
      await this.#file?.datasync()
    } catch {
      // See above.
    }
  }

  async #open(): Promise<FileHandle | undefined> {
    const name = (await readdir(this.#folder)).find((file) => file.startsWith('tmp_pack_'))
    return name === undefined ? undefined : open(join(this.#folder, name))
  }
}
