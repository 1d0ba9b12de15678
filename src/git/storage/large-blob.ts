// Blobs too large for memory, read by git itself (git-cat-file): a few buffers at a time, whatever their size. Each is
// read whole and checked before it is read for somebody, so that nobody gets a wrong byte.

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { GitFailed, streamGit } from '../command.js'
import { ObjectCorrupt } from '../objects/errors.js'
import type { Oid } from '../objects/oid.js'

/** How long, and of how many, it is remembered that they were right: it takes a whole reading to know. */
const CHECKED_MS = 10 * 60_000
const MOST_CHECKED = 1024

interface LargeBlob {
  gitdir: string
  oid: Oid
  size: number
}

/** By repository and oid; who comes while one is checked waits for the same reading. */
const checked = new LRUCache<string, true, LargeBlob>({
  max: MOST_CHECKED,
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
