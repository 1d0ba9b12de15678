// git's index over several packs (gitformat-pack, multi-pack-index). Our own reader has no use for it.

import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Its name in the folder of packs. */
export const MULTI_PACK_INDEX = 'multi-pack-index'
const HEADER_BYTES = 12
const CHUNK_BYTES = 12
const PACK_NAMES = 'PNAM'
/** Enough for some 300,000 packs. A damaged file may claim any length. */
const MAX_NAMES_BYTES = 16 * 1024 * 1024

/** Whether the file names a pack that is gone: git would then report sound objects as damaged. */
export function namesGonePack(path: string): boolean {
  return packsIn(path).some((index) => !existsSync(join(dirname(path), index.replace(/idx$/, 'pack'))))
}

/** Returns the names of the packs' indexes; none if there is no such file or it cannot be read. */
function packsIn(path: string): string[] {
  if (!existsSync(path)) return []
  const fd = openSync(path, 'r')
  try {
    const read = (at: number, length: number) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(fd, bytes, 0, length, at))
    }
    const chunks = read(6, 1)[0] ?? 0
    const table = read(HEADER_BYTES, (chunks + 1) * CHUNK_BYTES)
    for (let at = 0; at + CHUNK_BYTES < table.length; at += CHUNK_BYTES) {
      if (table.toString('latin1', at, at + 4) !== PACK_NAMES) continue
      const start = Number(table.readBigUInt64BE(at + 4))
      const end = Number(table.readBigUInt64BE(at + CHUNK_BYTES + 4))
      const names = read(start, Math.min(Math.max(0, end - start), MAX_NAMES_BYTES))
        .toString('latin1')
        .split('\0')
      return names.filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name))
    }
    return []
  } finally {
    closeSync(fd)
  }
}
