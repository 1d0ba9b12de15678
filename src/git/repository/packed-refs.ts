// The file `packed-refs` (git-pack-refs): one file for the refs that have no file of their own.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Oid } from '../objects/oid.js'

export const PACKED_REFS = 'packed-refs'
const OID_LENGTH = 40
const LINE = /^(?:([0-9a-f]{40}) (refs\/.*)|\^([0-9a-f]{40}))$/

/** Returns the oid in the ref's line. The file may be long: it is searched, not split. */
export function readPackedRef(gitdir: string, name: string): string | undefined {
  const packed = readIfThere(join(gitdir, PACKED_REFS))
  const at = packed?.indexOf(` ${name}\n`) ?? -1
  return at < 0 ? undefined : packed?.slice(Math.max(0, at - OID_LENGTH), at)
}

export interface PackedRef {
  oid: Oid
  /** The object at the end of the chain of tag objects; undefined if the ref names no tag object, null if git does not say. */
  peeled: Oid | undefined | null
}

/** Reads the refs below a folder (`refs/tags/`), by full name. Lines that git would refuse are skipped. */
export function readPackedRefs(gitdir: string, folder: string): Map<string, PackedRef> {
  const found = new Map<string, PackedRef>()
  const lines = (readIfThere(join(gitdir, PACKED_REFS)) ?? '').split('\n')
  // With this trait, a ref below refs/tags without a following `^` line names no tag object.
  const peeled = lines[0]?.includes(' peeled ') === true ? undefined : null
  let last: PackedRef | undefined
  for (const line of lines) {
    const [, oid, name, target] = LINE.exec(line) ?? []
    if (target !== undefined && last !== undefined) last.peeled = target
    last = oid === undefined ? undefined : { oid, peeled }
    if (last !== undefined && name?.startsWith(folder) === true) found.set(name, last)
  }
  return found
}

/** Returns the first line that git would refuse, shortened; undefined if the file is well formed or missing. */
export function findBrokenPackedRef(gitdir: string): string | undefined {
  const lines = (readIfThere(join(gitdir, PACKED_REFS)) ?? '').split('\n')
  const end = lines.pop()
  const broken = lines.find((line) => !/^(?:#.*|[0-9a-f]{40} refs\/\S+|\^[0-9a-f]{40})$/.test(line)) ?? end
  return broken === '' ? undefined : broken?.slice(0, 60)
}

/** Reads a file of refs; undefined if it is missing. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A folder of that name holds other refs.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw error
  }
}
