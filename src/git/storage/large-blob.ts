// Reads blobs that are too large for memory through git cat-file, a few buffers at a time. A blob is read once to the end
// and hashed before a caller gets its first byte, so that no caller gets a wrong one.

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { GitFailed, streamGit } from '../command.js'
import { ObjectCorrupt } from '../objects/errors.js'
import type { Oid } from '../objects/oid.js'

/** How long a successful check counts. */
const CHECKED_MS = 10 * 60_000
const MAX_CHECKED = 1024

interface LargeBlob {
  gitdir: string
  oid: Oid
  size: number
}

/** Blobs that were checked, by repository and oid. Callers that come during a check wait for it. */
const checked = new LRUCache<string, true, LargeBlob>({
  max: MAX_CHECKED,
  ttl: CHECKED_MS,
  fetchMethod: async (_key, _stale, { context }) => {
    await checkLargeBlob(context)
    return true as const
  },
})

/**
 * The bytes of a blob of `size` bytes, from its start; ending early stops git. Throws ObjectCorrupt, before the first byte
 * where they are not what the id stands for.
 */
export async function* readLargeBlob(gitdir: string, oid: Oid, size: number): AsyncGenerator<Buffer> {
  const key = `${gitdir}/${oid}`
  await checked.fetch(key, { context: { gitdir, oid, size } })
  try {
    yield* catFile(gitdir, oid)
  } catch (error) {
    checked.delete(key)
    throw error
  }
}

/** Reads the whole blob now, and throws ObjectCorrupt unless its bytes are those that its id stands for. */
export async function checkLargeBlob({ gitdir, oid, size }: LargeBlob): Promise<void> {
  const hash = createHash('sha1').update(`blob ${size}\0`)
  for await (const chunk of catFile(gitdir, oid)) hash.update(chunk)
  if (hash.digest('hex') !== oid) throw new ObjectCorrupt(`object ${oid}`, 'its bytes have another id', oid)
}

/** The last bytes come only when git has read all of the blob. */
async function* catFile(gitdir: string, oid: Oid): AsyncGenerator<Buffer> {
  try {
    // Without the threshold git itself would hold a packed blob of up to 512 MiB in memory.
    yield* streamGit(gitdir, ['-c', 'core.bigFileThreshold=1m', 'cat-file', 'blob', oid])
  } catch (error) {
    if (error instanceof GitFailed) throw new ObjectCorrupt(`object ${oid}`, error.message, oid)
    throw error
  }
}
