// Measures a repository without delaying others.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the bytes that the repository's objects take on the disk, history included. */
export async function measureObjects(gitdir: string): Promise<number> {
  return await sumBytes(join(gitdir, 'objects'))
}

/** Sums the bytes of all files below the folder. A file that disappears meanwhile, for example when packs are joined, counts 0. */
export async function sumBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    // One file after the other, so that the threads that serve visitors stay free.
    // oxlint-disable-next-line no-await-in-loop
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}
