// Loose objects: one deflated file each (gitformat-loose).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { ObjectCorrupt } from './errors.js'
import type { GitObject, ObjectType } from './object.js'
import type { Oid } from './oid.js'

/** Undefined when there is no such file; ObjectCorrupt when it is cut short or no object. */
export function readLooseObject(gitdir: string, oid: Oid): GitObject | undefined {
  let file: Buffer
  try {
    file = readFileSync(join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return parseLoose(oid, file)
}

function parseLoose(oid: Oid, file: Buffer): GitObject {
  let bytes: Buffer
  try {
    bytes = inflateSync(file)
  } catch (error) {
    throw new ObjectCorrupt(`object ${oid}`, `its file cannot be inflated (${String(error)})`)
  }
  const end = bytes.indexOf(0)
  const [, type, size] = /^(commit|tree|blob|tag) (\d+)$/.exec(bytes.toString('latin1', 0, Math.max(end, 0))) ?? []
  const content = bytes.subarray(end + 1)
  if (type === undefined || Number(size) !== content.length)
    throw new ObjectCorrupt(`object ${oid}`, 'its header is wrong')
  return { type: type as ObjectType, content }
}
