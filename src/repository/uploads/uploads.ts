// Manages `.uploads` in the data directory, where uploads wait until a write installs them. It is no part of any repository.

import { createReadStream, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import type { Oid } from '../../git/objects/oid.js'
import { hashObject } from '../../git/objects/object.js'
import { type PackFiles, removePack, STORED_ABOVE_BYTES } from '../../git/streams/pack-stream.js'
import { ServiceError } from '../../model/errors.js'
import { toServiceError } from '../protocol/failure.js'
import { BlobPacker } from './blob-packer.js'
import type { BlobToPack } from './blob-thread.js'

export const UPLOADS_FOLDER = '.uploads'
/** Names of files of single uploads. Uploads that wait longer have a folder of their own. */
const PASSING = /^once-/

/** The bytes of a blob: a small one in memory, a larger one as a durable pack that its receiver removes. */
export type ReceivedBlob =
  | { oid: Oid; size: number; content: Buffer; pack?: undefined }
  | { oid: Oid; size: number; pack: PackFiles; content?: undefined }

export class Uploads {
  readonly folder: string
  readonly #reserveBytes: number
  readonly #packer = new BlobPacker()
  #count = 0

  /** Removes leftovers of an earlier process's single uploads. */
  constructor(dataDir: string, { diskReserveBytes }: { diskReserveBytes: number }) {
    this.folder = join(dataDir, UPLOADS_FOLDER)
    this.#reserveBytes = diskReserveBytes
    mkdirSync(this.folder, { recursive: true })
    for (const name of readdirSync(this.folder))
      if (PASSING.test(name)) rmSync(join(this.folder, name), { recursive: true, force: true })
  }

  /** Throws `disk_reserve` if this many more bytes would leave too little room. */
  checkSpace(bytes: number): void {
    const { bavail, bsize } = statfsSync(this.folder)
    if (bavail * bsize - bytes >= this.#reserveBytes) return
    throw new ServiceError('disk_reserve', 'The disk is nearly full: nothing is written until space is freed.')
  }

  /** Receives one blob. Past 1 MiB it goes to the disk, durable, and is never whole in memory. */
  async receive({ size, chunks }: { size: number | undefined; chunks: AsyncIterable<Buffer> }): Promise<ReceivedBlob> {
    if (size !== undefined && size > STORED_ABOVE_BYTES) return await this.#store(chunks, size)
    const first: Buffer[] = []
    let bytes = 0
    const source = chunks[Symbol.asyncIterator]()
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      first.push(next.value)
      bytes += next.value.length
      if (bytes > STORED_ABOVE_BYTES) return await this.#spool(first, source)
    }
    const content = Buffer.concat(first, bytes)
    return { oid: hashObject('blob', content), size: bytes, content }
  }

  /** Returns a new, unique name in the folder for a pack that is installed or removed soon. */
  newName(): string {
    return `once-${process.pid}-${this.#count++}`
  }

  /** Removes the files of a received blob; their links in a repository stay. */
  async remove({ pack }: ReceivedBlob): Promise<void> {
    if (pack !== undefined) await removePack(pack.path)
  }

  /** Makes a durable pack of one large blob in its folder. Throws as BlobPacker does, and `disk_reserve`. */
  async pack(blob: BlobToPack, chunks: AsyncIterable<Buffer>): Promise<{ oid: Oid; pack: PackFiles }> {
    this.checkSpace(blob.size)
    return await this.#packer.pack(blob, chunks)
  }

  /** Ends all uploads in progress. */
  async close(): Promise<void> {
    await this.#packer.close()
  }

  async #store(chunks: AsyncIterable<Buffer>, size: number): Promise<ReceivedBlob> {
    try {
      return { size, ...(await this.pack({ folder: this.folder, name: this.newName(), size }, chunks)) }
    } catch (error) {
      throw toServiceError(error)
    }
  }

  /** Stores a blob of unknown size in a file first: git hashes the size before the bytes, so they must be counted. */
  async #spool(first: readonly Buffer[], rest: AsyncIterator<Buffer>): Promise<ReceivedBlob> {
    const path = join(this.folder, this.newName())
    try {
      const file = await open(path, 'wx')
      let size = 0
      try {
        for await (const chunk of joined(first, rest)) {
          if (Math.floor((size + chunk.length) / STORED_ABOVE_BYTES) > Math.floor(size / STORED_ABOVE_BYTES))
            this.checkSpace(STORED_ABOVE_BYTES)
          await file.appendFile(chunk)
          size += chunk.length
        }
      } finally {
        await file.close()
      }
      return await this.#store(createReadStream(path) as AsyncIterable<Buffer>, size)
    } catch (error) {
      throw toServiceError(error)
    } finally {
      await dropTemporary(path)
    }
  }
}

async function* joined(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
