// Remembers the heads that this thread knows to be on the disk with everything under them. They outlive a writer: a site that is
// opened again with the same head needs no sync of the file system.

import { statSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { Oid } from '../../git/objects/oid.js'

/** Sites of one thread. The head of a forgotten site is synced once more. */
const MAX_HEADS = 16_384

export type DurableHeads = Pick<LRUCache<string, Oid>, 'get' | 'set'>

export function makeDurableHeads(): DurableHeads {
  return new LRUCache<string, Oid>({ max: MAX_HEADS })
}

/** Returns a key that changes when the folder is replaced by another one, because the new contents may not be synced. */
export function folderKeyOf(gitdir: string): string {
  const { dev, ino, birthtimeMs } = statSync(gitdir)
  return `${gitdir} ${dev} ${ino} ${birthtimeMs}`
}
