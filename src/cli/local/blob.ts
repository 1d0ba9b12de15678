// The object id that git gives to a file's bytes, by which a deploy asks which files the service lacks.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Unusable } from '../connection/explain.js'

export interface Blob {
  /** 40 hex digits. */
  oid: string
  /** Bytes. */
  size: number
}

/** Reads the file piece by piece. Throws Unusable where the file changes meanwhile. */
export async function blobOf(file: string): Promise<Blob> {
  const { size } = await stat(file)
  const hash = createHash('sha1').update(`blob ${size}\0`)
  let read = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    read += piece.length
  }
  if (read !== size) throw new Unusable(`${file} changed while it was read. Publish again.`)
  return { oid: hash.digest('hex'), size }
}
