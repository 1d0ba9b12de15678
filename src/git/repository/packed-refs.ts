// The file `packed-refs` (git-pack-refs): in one file, the refs that have none of their own.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Oid } from '../objects/oid.js'

export const PACKED_REFS = 'packed-refs'
const OID_LENGTH = 40
const LINE = /^(?:([0-9a-f]{40}) (refs\/.*)|\^([0-9a-f]{40}))$/

/** The oid in the ref's line. The file may be long: it is searched, not split. */
export function readPackedRef(gitdir: string, name: string): string | undefined {
  const packed = readIfThere(join(gitdir, PACKED_REFS))
  const at = packed?.indexOf(` ${name}\n`) ?? -1
  return at < 0 ? undefined : packed?.slice(Math.max(0, at - OID_LENGTH), at)
}

export interface PackedRef {
  oid: Oid
  /** What the tag object names in the end; undefined where the ref names none, null where git does not say. */
  peeled: Oid | undefined | null
}

/** The refs below a folder (`refs/tags/`), by full name. Lines that git would refuse are passed over. */
export function readPackedRefs(gitdir: string, folder: string): Map<string, PackedRef> {
  const found = new Map<string, PackedRef>()
  const lines = (readIfThere(join(gitdir, PACKED_REFS)) ?? '').split('\n')
  // With this trait, a ref below refs/tags that no `^` line follows names no tag object.
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

/** The first line that git would refuse, shortened; undefined when the file is well formed or not there. */
export function findBrokenPackedRef(gitdir: string): string | undefined {
  const lines = (readIfThere(join(gitdir, PACKED_REFS)) ?? '').split('\n')
  const end = lines.pop()
  const broken = lines.find((line) => !/^(?:#.*|[0-9a-f]{40} refs\/\S+|\^[0-9a-f]{40})$/.test(line)) ?? end
  return broken === '' ? undefined : broken?.slice(0, 60)
}

/** The text of a file of refs. */
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
