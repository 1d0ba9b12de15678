// Tells whether an index without its pack is a sign of damage. A power cut in a repack can leave one whose objects are in other packs.

import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ObjectCorrupt } from '../../../git/objects/errors.js'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import { PackIndex } from '../../../git/storage/pack-index.js'

/** The number of objects to look up before others get a turn. */
const TURN = 1000

/** Whether all objects of an index without its pack (`pack-<id>`) are stored elsewhere. False if the index cannot be read. */
export async function isIndexSpare(gitdir: string, name: string): Promise<boolean> {
  const odb = new ObjectDatabase(gitdir, { cacheBytes: 1 })
  const index = openIndex(join(gitdir, 'objects', 'pack', `${name}.idx`))
  try {
    let looked = 0
    for (const oid of index?.oids() ?? []) {
      if (!odb.isStored(oid)) return false
      if (++looked % TURN === 0) await nextTurn()
    }
    return index !== undefined
  } finally {
    index?.close()
    odb.close()
  }
}

function openIndex(path: string): PackIndex | undefined {
  try {
    return new PackIndex(path)
  } catch (error) {
    if (error instanceof ObjectCorrupt || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
