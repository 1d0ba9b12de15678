// The object id that git gives to a file's bytes, by which a deploy asks which files the service lacks.

import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { UnusableFolder } from './unusable-folder.js'

export interface Blob {
  /** 40 hex digits. */
  oid: string
  /** Bytes. */
  size: number
}

/** To open a stream for each of thousands of small files takes longer than to read them. */
const READ_AT_ONCE_BYTES = 1024 * 1024

/** Reads a large file piece by piece. Throws UnusableFolder where it changes meanwhile. */
export async function blobOf(file: string): Promise<Blob> {
  const { size } = statSync(file)
  if (size <= READ_AT_ONCE_BYTES) {
    const bytes = readFileSync(file)
    return { oid: createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'), size: bytes.length }
  }
  const hash = createHash('sha1').update(`blob ${size}\0`)
  let read = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    read += piece.length
  }
  if (read !== size) throw new UnusableFolder(`${file} changed while it was read. Publish again.`)
  return { oid: hash.digest('hex'), size }
}
