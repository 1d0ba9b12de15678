// Stores a generated file for the cache: deflated, unless it is short. The maps of a large site are tens of megabytes of similar paths.
// Deflating the maps of a usual site would only delay other requests.

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createInflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'
import { blobIdOf, type GeneratedBody, inMemory } from './generated-file.js'

export interface PackedFile {
  /** Oid of the file as it is sent. */
  oid: string
  size: number
  isDeflated: boolean
  /** In a buffer of its own, so that a thread can transfer it. */
  bytes: ArrayBuffer
}

/** Limit for one site's files together. The files of 500,000 pages whose paths end in a UUID have 17 MiB. */
export const MAX_PACKED_BYTES = 24 * 1024 * 1024
/** One site's files are stored uncompressed up to this many bytes together. */
const AS_THEY_ARE_BYTES = 4 * 1024 * 1024
/** Smallest chunk that zlib accepts. With a chunk of the file's size, zlib makes a single Buffer of exactly that size. */
const LEAST_CHUNK_BYTES = 64

const inflate = promisify(inflateRaw)

/** Packs the files of one site, one after the other. */
export class Packer {
  /** Bytes of all files so far. */
  bytes = 0

  /** Packs a file. Deflating a mebibyte takes about 8 ms. */
  pack(file: Buffer): PackedFile {
    const isDeflated = this.bytes + file.length > AS_THEY_ARE_BYTES
    const packed = isDeflated ? deflateRawSync(file, { level: constants.Z_BEST_SPEED }) : file
    this.bytes += packed.length
    const own = new ArrayBuffer(packed.length)
    packed.copy(Buffer.from(own))
    return { oid: blobIdOf(file), size: file.length, isDeflated, bytes: own }
  }
}

/** Opens a packed file. A deflated one is inflated on each read, outside this thread. */
export function openPackedFile({ oid, size, isDeflated, bytes }: PackedFile): GeneratedBody {
  const packed = Buffer.from(bytes)
  if (!isDeflated) return inMemory(packed, oid)
  return {
    oid,
    size,
    read: () => inflate(packed, { chunkSize: Math.max(size, LEAST_CHUNK_BYTES) }),
    pieces: () => Readable.from([packed]).pipe(createInflateRaw()),
  }
}
