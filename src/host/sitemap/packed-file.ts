// A generated file as it is cached: deflated, unless it is short. The maps of a large site are tens of megabytes of paths that resemble
// each other; to deflate those of a usual site would only keep others waiting.

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createInflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'
import { blobIdOf, type GeneratedBody, inMemory } from '../../resolution/generated-file.js'

export interface PackedFile {
  /** Of the file as it is sent. */
  oid: string
  size: number
  isDeflated: boolean
  /** In memory of their own, so that a thread can give them away. */
  bytes: ArrayBuffer
}

/** Of one site's files together. 500,000 pages whose paths end in a UUID have 17 MiB. */
export const MAX_PACKED_BYTES = 24 * 1024 * 1024
/** Of one site's files together, which are kept as they are. */
const AS_THEY_ARE_BYTES = 4 * 1024 * 1024
/** The least that zlib takes; one of the file's size makes one Buffer of just that size. */
const LEAST_CHUNK_BYTES = 64

const inflate = promisify(inflateRaw)

/** Packs the files of one site, one after the other. */
export class Packer {
  /** Of all files so far. */
  bytes = 0

  /** To deflate a mebibyte takes some 8 ms. */
  pack(file: Buffer): PackedFile {
    const isDeflated = this.bytes + file.length > AS_THEY_ARE_BYTES
    const packed = isDeflated ? deflateRawSync(file, { level: constants.Z_BEST_SPEED }) : file
    this.bytes += packed.length
    const own = new ArrayBuffer(packed.length)
    packed.copy(Buffer.from(own))
    return { oid: blobIdOf(file), size: file.length, isDeflated, bytes: own }
  }
}

/** What is deflated is inflated each time that it is asked for, outside of the thread. */
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
