// Removes leftovers of packs that are gone, after a power cut in a repack. None of these files holds an object.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MULTI_PACK_INDEX, namesGonePack } from './checks/multi-pack-index.js'
import { isIndexSpare } from './checks/spare-index.js'

/** Files that git derives from a pack and its index. A `.keep` may come before its pack. */
const DERIVED = ['rev', 'bitmap', 'mtimes']

/** Removes the leftovers. Call it only while gc.pid is held. */
export async function removeOrphans(gitdir: string): Promise<void> {
  await removePackless(gitdir)
  removeStaleMultiPackIndex(join(gitdir, 'objects', 'pack'))
}

/** Removes files without their pack, but keeps an index with an object that is stored nowhere else: it is a sign of damage. */
async function removePackless(gitdir: string): Promise<void> {
  const folder = join(gitdir, 'objects', 'pack')
  const names = readdirSync(folder).flatMap(
    (file) => /^(pack-[0-9a-f]+)\.(?:idx|rev|bitmap|mtimes)$/.exec(file)?.[1] ?? [],
  )
  for (const name of new Set(names)) {
    const path = join(folder, name)
    if (existsSync(`${path}.pack`)) continue
    if (existsSync(`${path}.idx`)) {
      if (!(await isIndexSpare(gitdir, name))) continue
      removeIndex(path, join(folder, `tmp_idx_${name}`))
    }
    for (const ending of DERIVED) rmSync(`${path}.${ending}`, { force: true })
  }
}

/** Moves the index aside first: a repack may make the same pack again now, and git puts the pack in place before its index. */
function removeIndex(path: string, aside: string): void {
  renameSync(`${path}.idx`, aside)
  if (existsSync(`${path}.pack`)) renameSync(aside, `${path}.idx`)
  else rmSync(aside)
}

/** Removes the file; git makes it again. Does nothing while git is writing a new one. */
function removeStaleMultiPackIndex(folder: string): void {
  const path = join(folder, MULTI_PACK_INDEX)
  if (existsSync(`${path}.lock`) || !namesGonePack(path)) return
  for (const file of readdirSync(folder)) {
    if (file.startsWith(MULTI_PACK_INDEX)) rmSync(join(folder, file), { force: true })
  }
}
