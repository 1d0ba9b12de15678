// The heads that this thread knows to be on the disk with everything under them. They are kept beyond the life of a writer: a
// site that is opened again with the same head needs no sync of the file system.

import { statSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { Oid } from '../../git/objects/oid.js'

/** Sites of one thread. Of a site that was forgotten the head is synced once more. */
const MAX_HEADS = 16_384

export type DurableHeads = Pick<LRUCache<string, Oid>, 'get' | 'set'>

export function makeDurableHeads(): DurableHeads {
  return new LRUCache<string, Oid>({ max: MAX_HEADS })
}

/** A folder that was put in the place of another has another key: nothing is known of what lies in it. */
export function folderKeyOf(gitdir: string): string {
  const { dev, ino, birthtimeMs } = statSync(gitdir)
  return `${gitdir} ${dev} ${ino} ${birthtimeMs}`
}
