// Loose objects: one deflated file each, `<type> <size>\0<content>` (gitformat-loose). `folder` is that of the objects, `<gitdir>/objects`.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { ObjectCorrupt } from '../objects/errors.js'
import { canHold, inflateAtMost, inflateStart, refuseHuge } from './inflate.js'
import type { GitObject, ObjectType } from '../objects/object.js'
import type { Oid } from '../objects/oid.js'

/** Compressed bytes that always contain the header, even after the longest code tables. They inflate to little. */
const HEADER_BYTES = 512

export interface ObjectHeader {
  type: ObjectType
  /** Bytes of the content. */
  size: number
}

export function hasLooseObject(folder: string, oid: Oid): boolean {
  return existsSync(pathOf(folder, oid))
}

/** Reads an object; undefined without such a file. Throws ObjectCorrupt if it is cut short or no object. Inflates at most its claim. */
export function readLooseObject(folder: string, oid: Oid): GitObject | undefined {
  const file = unlessMissing(() => readFileSync(pathOf(folder, oid)))
  if (file === undefined) return undefined
  const { type, size, length } = parseHeader(oid, file.subarray(0, HEADER_BYTES))
  refuseHuge('a loose object', size)
  const bytes = orCorrupt(oid, () => inflateAtMost(length + size, file))
  if (bytes.length !== length + size) throw corrupt(oid, `it has ${bytes.length - length} bytes, not ${size}`)
  return { type, content: bytes.subarray(length) }
}

/** Reads type and size from the start of the file, and nothing else. */
export function readLooseHeader(folder: string, oid: Oid): ObjectHeader | undefined {
  const fd = unlessMissing(() => openSync(pathOf(folder, oid), 'r'))
  if (fd === undefined) return undefined
  try {
    const start = Buffer.alloc(HEADER_BYTES)
    const { type, size } = parseHeader(oid, start.subarray(0, readSync(fd, start)))
    if (canHold(fstatSync(fd).size, size)) return { type, size }
    throw corrupt(oid, 'it claims more bytes than its file can hold')
  } finally {
    closeSync(fd)
  }
}

function pathOf(folder: string, oid: Oid): string {
  return join(folder, oid.slice(0, 2), oid.slice(2))
}

function parseHeader(oid: Oid, start: Buffer): ObjectHeader & { length: number } {
  const text = orCorrupt(oid, () => inflateStart(start)).toString('latin1', 0, 32)
  const [header, type, size] = /^(commit|tree|blob|tag) (\d{1,15})\0/.exec(text) ?? []
  if (header === undefined) throw corrupt(oid, 'its header is wrong')
  return { type: type as ObjectType, size: Number(size), length: header.length }
}

function orCorrupt(oid: Oid, inflate: () => Buffer): Buffer {
  try {
    return inflate()
  } catch (error) {
    throw corrupt(oid, `its file cannot be inflated (${String(error)})`)
  }
}

function corrupt(oid: Oid, reason: string): ObjectCorrupt {
  return new ObjectCorrupt(`object ${oid}`, reason, oid)
}

function unlessMissing<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
