// How large a folder is, without keeping anybody waiting.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of all files below the folder. A file that disappears during the walk, as when packs are joined, counts 0. */
export async function sumBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    // One after the other: this must not take the threads that serve visitors.
    // oxlint-disable-next-line no-await-in-loop
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}
