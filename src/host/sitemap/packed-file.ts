// A generated file as it is cached: deflated, since the maps of a large site are tens of megabytes of paths that resemble each other.

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createInflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'
import { blobIdOf, type GeneratedBody } from '../../resolution/generated-file.js'

export interface PackedFile {
  /** Of the file as it is sent. */
  oid: string
  size: number
  /** Memory of its own, so that a thread can give it away. */
  deflated: ArrayBuffer
}

/** Of one site's files together. 500,000 pages whose paths end in a UUID have 17 MiB. */
export const MAX_PACKED_BYTES = 24 * 1024 * 1024

/** The least that zlib takes; one of the file's size makes one Buffer of just that size. */
const LEAST_CHUNK_BYTES = 64

const inflate = promisify(inflateRaw)

/** Takes some 8 ms a mebibyte. */
export function packFile(bytes: Buffer): PackedFile {
  const deflated = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED })
  const own = new ArrayBuffer(deflated.length)
  deflated.copy(Buffer.from(own))
  return { oid: blobIdOf(bytes), size: bytes.length, deflated: own }
}

/** Its bytes are inflated each time they are asked for, outside of the thread. */
export function openPackedFile({ oid, size, deflated }: PackedFile): GeneratedBody {
  const packed = Buffer.from(deflated)
  return {
    oid,
    size,
    read: () => inflate(packed, { chunkSize: Math.max(size, LEAST_CHUNK_BYTES) }),
    pieces: () => Readable.from([packed]).pipe(createInflateRaw()),
  }
}
