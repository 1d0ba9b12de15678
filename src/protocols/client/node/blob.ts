// Computes the oid that git gives to a file's bytes; a deploy asks by it which files the service lacks.

import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { TextDecoder } from 'node:util'
import { UnusableFolder } from './unusable-folder.js'

export interface Blob {
  /** 40 hex digits. */
  oid: string
  /** Bytes. */
  size: number
  /** Not found out for a large file that is no page. */
  isUtf8: boolean
}

/** Files up to this size are read at once: opening a stream for each of thousands of small files takes longer than reading them. */
const READ_AT_ONCE_BYTES = 1024 * 1024
/**
 * One buffer for all small files: a buffer for each would make as much garbage as there are bytes. The extra byte reveals a larger file.
 */
const small = Buffer.allocUnsafeSlow(READ_AT_ONCE_BYTES + 1)

/** Hashes a file; reads a large one piece by piece. Throws UnusableFolder if it changes meanwhile. */
export async function blobOf(file: string): Promise<Blob> {
  const bytes = readSmall(file)
  if (bytes !== undefined)
    return { oid: blobHash(bytes.length).update(bytes).digest('hex'), size: bytes.length, isUtf8: isUtf8(bytes) }
  const { size } = statSync(file)
  const hash = blobHash(size)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isText = file.endsWith('.html')
  let read = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    isText &&= decodes(decoder, piece)
    read += piece.length
  }
  if (read !== size) throw new UnusableFolder(`${file} changed while it was read. Publish again.`)
  return { oid: hash.digest('hex'), size, isUtf8: isText && decodes(decoder) }
}

/** Decodes the next piece of a text, or its end. */
function decodes(decoder: TextDecoder, piece?: Buffer): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return true
  } catch {
    return false
  }
}

function blobHash(size: number): Hash {
  return createHash('sha1').update(`blob ${size}\0`)
}

/** Returns the file's bytes, valid until the next call; undefined for a large file. */
function readSmall(file: string): Buffer | undefined {
  const descriptor = openSync(file, 'r')
  try {
    let size = 0
    for (let read = -1; read !== 0 && size < small.length; size += read)
      read = readSync(descriptor, small, size, small.length - size, null)
    return size > READ_AT_ONCE_BYTES ? undefined : small.subarray(0, size)
  } finally {
    closeSync(descriptor)
  }
}
