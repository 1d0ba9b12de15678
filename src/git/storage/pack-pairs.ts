// Whether the packs of a repository are complete, judged by their first and last bytes: a pack ends in its checksum, and
// its index repeats it (gitformat-pack). Reads a few bytes of each pack; what lies between is for git fsck.

import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

const CHECKSUM_BYTES = 20
const PACK_MAGIC = 'PACK'
const INDEX_MAGIC = '\xfftOc'

/** A pack is written before its index; a pack that has none after this time was left without. */
const INDEX_LATE_MS = 30_000

export interface BrokenPack {
  /** `pack-<id>`. */
  name: string
  reason: string
}

export function findBrokenPacks(gitdir: string): BrokenPack[] {
  const folder = join(gitdir, 'objects', 'pack')
  const names = readdirSync(folder).flatMap((file) => /^(pack-[0-9a-f]+)\.(?:idx|pack)$/.exec(file)?.[1] ?? [])
  return [...new Set(names)].flatMap((name) => {
    const reason = findFault(join(folder, name))
    return reason === undefined ? [] : [{ name, reason }]
  })
}

function findFault(path: string): string | undefined {
  const pack = readEnds(`${path}.pack`, CHECKSUM_BYTES)
  const index = readEnds(`${path}.idx`, 2 * CHECKSUM_BYTES)
  // Both gone: a repack took them away after they were listed.
  if (index === undefined) return pack !== undefined && pack.age > INDEX_LATE_MS ? 'its index is gone' : undefined
  if (pack === undefined) return 'its pack file is gone'
  if (pack.start !== PACK_MAGIC) return 'its pack file does not begin as a pack'
  if (index.start !== INDEX_MAGIC) return 'its index does not begin as an index'
  if (!index.end.subarray(0, CHECKSUM_BYTES).equals(pack.end)) return 'its pack file and its index do not end alike'
  return undefined
}

/** The first four bytes, the last `length`, and the milliseconds since it was written; undefined when there is no such file. */
function readEnds(path: string, length: number): { start: string; end: Buffer; age: number } | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { size, mtimeMs } = fstatSync(fd)
    const start = Buffer.alloc(4)
    const end = Buffer.alloc(length)
    readSync(fd, start, 0, 4, 0)
    readSync(fd, end, 0, length, Math.max(0, size - length))
    return { start: start.toString('latin1'), end, age: Date.now() - mtimeMs }
  } finally {
    closeSync(fd)
  }
}
