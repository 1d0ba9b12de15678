// Writes blobs into a pack while their bytes arrive (gitformat-pack, version 2), outside of every repository. A
// writer later installs the files unchanged. A large blob is not kept in memory, and no call blocks the thread.

import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { dropTemporary } from '../disk/drop-temporary.js'
import type { Oid } from '../objects/oid.js'
import { encodeIndex, entryHeader, type PackedEntry, packHeader } from '../storage/pack-writer.js'
import { StoredBlocks } from '../storage/stored-blocks.js'

/** A pack and its index as files outside of a repository, both durable. */
export interface PackFiles {
  /** Checksum of the pack in hex, which names it in a repository. */
  id: string
  /** Path of the files without their endings `.pack` and `.idx`. */
  path: string
  /** Size of the pack in bytes. */
  bytes: number
}

/** Thrown if the source ended before or after the announced size, or its bytes do not match its id. */
export class WrongBlob extends Error {
  override name = 'WrongBlob'
  readonly reason: 'size' | 'oid'

  constructor(reason: 'size' | 'oid') {
    super(reason === 'size' ? 'the blob has another size' : 'the blob has another id')
    this.reason = reason
  }
}

/** Bytes written at once, so that small chunks cost no call each. */
const WRITE_BYTES = 1024 * 1024
/** Bytes written before a sync begins, while the rest arrives: less is left to wait for at the end. */
const SYNC_BYTES = 8 * 1024 * 1024
/** Most buffers that one call writes (IOV_MAX of Linux and macOS). */
const MAX_PARTS = 1024
const READ_BYTES = 1024 * 1024
/** Larger blobs are stored uncompressed, so that a range of them can be read by its offset. */
export const STORED_ABOVE_BYTES = 1024 * 1024
/** zlib's own piece of 16 KiB for each small blob would stay in memory until it is written. */
const DEFLATE_ROOM_BYTES = 128
const deflateAsync = promisify(deflate)

export class PackStream {
  readonly #path: string
  readonly #file: FileHandle
  readonly #entries: PackedEntry[] = []
  readonly #oids = new Set<Oid>()
  /** Checksum of everything written, if the header at the start is right from the beginning. */
  readonly #sum: Hash | undefined
  #waiting: Buffer[]
  #waitingBytes: number
  #offset: number
  /** Offset up to which a sync was begun, and the last sync: `finish` reports its failure. */
  #synced = 0
  #syncing: Promise<void> | undefined

  private constructor(path: string, file: FileHandle, count: number | undefined) {
    const header = packHeader(count ?? 0)
    this.#path = path
    this.#file = file
    this.#sum = count === undefined ? undefined : createHash('sha1').update(header)
    this.#waiting = [header]
    this.#waitingBytes = header.length
    this.#offset = header.length
  }

  /**
   * Creates `<path>.pack`. If `count` gives the number of blobs, the file is not read again for its checksum. Throws EEXIST if
   * it exists.
   */
  static async create(path: string, count?: number): Promise<PackStream> {
    return new PackStream(path, await open(`${path}.pack`, 'wx+', 0o644), count)
  }

  /** The blobs in the pack so far. */
  get oids(): Oid[] {
    return [...this.#oids]
  }

  has(oid: Oid): boolean {
    return this.#oids.has(oid)
  }

  /**
   * Adds a blob of `size` bytes as they come. Small ones are deflated unless `isDeflated` says that their bytes already are.
   * Throws WrongBlob, and errors of the source: the only call after that is `discard`.
   */
  async add(
    source: AsyncIterable<Buffer>,
    size: number,
    options: { oid?: Oid; isDeflated?: boolean } = {},
  ): Promise<Oid> {
    const start = this.#offset
    const hash = createHash('sha1').update(`blob ${size}\0`)
    let crc = 0
    let taken = 0
    const write = async (parts: readonly Buffer[]) => {
      for (const part of parts) crc = crc32(part, crc)
      await this.#write(parts)
    }
    await write([entryHeader('blob', size)])
    const isStored = size > STORED_ABOVE_BYTES || options.isDeflated === true
    const blocks = new StoredBlocks(size)
    const whole: Buffer[] = []
    if (isStored) await write(blocks.begin())
    for await (const chunk of source) {
      taken += chunk.length
      if (taken > size) throw new WrongBlob('size')
      hash.update(chunk)
      if (isStored) await write(blocks.push(chunk))
      else whole.push(chunk)
    }
    if (taken !== size) throw new WrongBlob('size')
    const oid = hash.digest('hex')
    if (options.oid !== undefined && options.oid !== oid) throw new WrongBlob('oid')
    await write(
      isStored
        ? blocks.end()
        : [await deflateAsync(Buffer.concat(whole, size), { level: 1, chunkSize: size + DEFLATE_ROOM_BYTES })],
    )
    this.#oids.add(oid)
    this.#entries.push({ oid: Buffer.from(oid, 'hex'), offset: start, crc })
    return oid
  }

  /** Adds an entry of another pack unchanged; skips one that is already here. */
  async addEntry(oid: Oid, bytes: Buffer, crc: number): Promise<void> {
    if (this.#oids.has(oid)) return
    this.#oids.add(oid)
    this.#entries.push({ oid: Buffer.from(oid, 'hex'), offset: this.#offset, crc })
    await this.#write([bytes])
  }

  /** Finishes the pack. It is durable when this resolves, except for the names in the folder. */
  async finish(): Promise<PackFiles> {
    await this.#flush()
    await this.#file.write(packHeader(this.#entries.length), 0, undefined, 0)
    const checksum = this.#sum?.digest() ?? (await this.#checksum())
    await this.#file.write(checksum, 0, checksum.length, this.#offset)
    await this.#syncing
    await this.#file.datasync()
    await this.#file.close()
    const index = await open(`${this.#path}.idx`, 'wx', 0o644)
    try {
      await index.writeFile(encodeIndex(this.#entries, checksum))
      await index.datasync()
    } finally {
      await index.close()
    }
    return { id: checksum.toString('hex'), path: this.#path, bytes: this.#offset + checksum.length }
  }

  /** Removes the files written so far. */
  async discard(): Promise<void> {
    await this.#syncing?.catch(() => undefined)
    await this.#file.close().catch(() => undefined)
    await removePack(this.#path)
  }

  /** Computes the checksum. The header holds the number of objects, which is known only at the end, so the file is read again. */
  async #checksum(): Promise<Buffer> {
    const hash = createHash('sha1')
    const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, this.#offset))
    for (let at = 0; at < this.#offset; ) {
      const { bytesRead } = await this.#file.read(piece, 0, Math.min(piece.length, this.#offset - at), at)
      if (bytesRead === 0) throw new Error('a pack is shorter than what was written')
      hash.update(piece.subarray(0, bytesRead))
      at += bytesRead
    }
    return hash.digest()
  }

  async #write(parts: readonly Buffer[]): Promise<void> {
    for (const part of parts) {
      this.#sum?.update(part)
      this.#waiting.push(part)
      this.#waitingBytes += part.length
      this.#offset += part.length
    }
    if (this.#waitingBytes >= WRITE_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const parts = this.#waiting
    let at = this.#offset - this.#waitingBytes
    this.#waiting = []
    this.#waitingBytes = 0
    while (parts.length > 0) at += await this.#writeSome(parts, at)
    if (at - this.#synced >= SYNC_BYTES) this.#beginSync(at)
  }

  #beginSync(at: number): void {
    this.#synced = at
    const before = this.#syncing
    this.#syncing = this.#file.datasync().then(() => before)
    this.#syncing.catch(() => undefined)
  }

  /** Writes as much as the system takes at once, and removes it from `parts`. */
  async #writeSome(parts: Buffer[], at: number): Promise<number> {
    const { bytesWritten } = await this.#file.writev(parts.slice(0, MAX_PARTS), at)
    let left = bytesWritten
    let whole = 0
    for (; whole < parts.length && left >= (parts[whole]?.length ?? 0); whole++) left -= parts[whole]?.length ?? 0
    parts.splice(0, whole)
    if (left > 0 && parts[0] !== undefined) parts[0] = parts[0].subarray(left)
    return bytesWritten
  }
}

/**
 * Writes a pack of one blob in `folder`. Chunks of 1 MiB are written before the next one is asked for. Throws WrongBlob, and errors
 * of the source: then nothing is left behind.
 */
export async function writeBlobPack(
  folder: string,
  name: string,
  source: AsyncIterable<Buffer>,
  size: number,
  oid?: Oid,
): Promise<{ oid: Oid; pack: PackFiles }> {
  const stream = await PackStream.create(join(folder, name), 1)
  try {
    const found = await stream.add(source, size, { ...(oid !== undefined && { oid }), isDeflated: true })
    return { oid: found, pack: await stream.finish() }
  } catch (error) {
    await stream.discard()
    throw error
  }
}

/** Removes a pack outside of a repository. Never rejects. */
export async function removePack(path: string): Promise<void> {
  await dropTemporary(`${path}.idx`, `${path}.pack`)
}
