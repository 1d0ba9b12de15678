// Checks that the packs of a repository are complete, by their first and last bytes. Both headers hold the number of
// objects, and a pack ends in its checksum, which its index repeats (gitformat-pack). Reads a kilobyte of each pack; git fsck
// checks the bytes in between.

import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

const CHECKSUM_BYTES = 20
/** The signature, then the version. git also reads version 3 but does not write it. */
const PACK_SIGNATURE = Buffer.from('PACK\0\0\0\x02', 'latin1')
const PACK_HEADER_BYTES = 12
/** Signature of version 2. */
const INDEX_SIGNATURE = Buffer.from('\xfftOc\0\0\0\x02', 'latin1')
/** Size of the signature and the table of the number of objects up to each first byte of an oid. */
const INDEX_HEADER_BYTES = 8 + 256 * 4

/** A pack is written before its index; a pack without one after this time was left without. */
const INDEX_LATE_MS = 30_000

/** Reason for an index without its pack. */
export const PACK_GONE = 'its pack file is gone'

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
  const pack = readEnds(`${path}.pack`, PACK_HEADER_BYTES, CHECKSUM_BYTES)
  const index = readEnds(`${path}.idx`, INDEX_HEADER_BYTES, 2 * CHECKSUM_BYTES)
  // If both are gone, a repack removed them after they were listed.
  if (index === undefined) return pack !== undefined && pack.age > INDEX_LATE_MS ? 'its index is gone' : undefined
  if (pack === undefined) return PACK_GONE
  if (!startsWith(pack.start, PACK_SIGNATURE)) return 'its pack file does not begin as a pack'
  if (!startsWith(index.start, INDEX_SIGNATURE)) return 'its index does not begin as an index'
  const counts = Array.from({ length: 256 }, (_, byte) => index.start.readUInt32BE(8 + byte * 4))
  if (counts.some((count, byte) => count < (counts[byte - 1] ?? 0))) return 'the first table of its index is wrong'
  if (pack.start.readUInt32BE(8) !== counts[255]) return 'its pack file and its index name different numbers of objects'
  if (!startsWith(index.end, pack.end)) return 'its pack file and its index do not end alike'
  return undefined
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

interface Ends {
  start: Buffer
  end: Buffer
  /** Milliseconds since the file was written. */
  age: number
}

/** Reads the first and the last bytes of a file; undefined if there is no such file. */
function readEnds(path: string, startBytes: number, endBytes: number): Ends | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { size, mtimeMs } = fstatSync(fd)
    const start = Buffer.alloc(startBytes)
    const end = Buffer.alloc(endBytes)
    readSync(fd, start, 0, startBytes, 0)
    readSync(fd, end, 0, endBytes, Math.max(0, size - endBytes))
    return { start, end, age: Date.now() - mtimeMs }
  } finally {
    closeSync(fd)
  }
}
