// Compares a deploy's files with those of a commit, folder by folder. When a site is published again, nearly all are the same.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Oid } from '../../git/objects/oid.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Deploy } from '../../repository/uploads/deploy.js'

/** Files of the deploy to compare, or of the site to read, before others are served. */
const MAX_COMPARED = 1_000

/** Returns the files that the commit lacks, or has with other bytes, in their order. */
export async function filesThatDiffer(snapshot: Snapshot, files: Deploy['files']): Promise<Deploy['files']> {
  const folders = new Map<string, ReadonlyMap<string, Oid>>()
  const differing: Deploy['files'][number][] = []
  for (const [at, file] of files.entries()) {
    const [path, oid] = file
    const slash = path.lastIndexOf('/')
    const folder = path.slice(0, Math.max(slash, 0))
    let known = folders.get(folder)
    if (known === undefined) folders.set(folder, (known = await filesIn(snapshot, folder)))
    if (known.get(path.slice(slash + 1)) !== oid) differing.push(file)
    if (at % MAX_COMPARED === MAX_COMPARED - 1) await nextTurn()
  }
  return differing
}

async function filesIn(snapshot: Snapshot, folder: string): Promise<Map<string, Oid>> {
  const files = new Map<string, Oid>()
  for (const { name, mode, oid } of snapshot.eachEntry(folder)) {
    if (!isFile(mode)) continue
    files.set(name, oid)
    if (files.size % MAX_COMPARED === 0) await nextTurn()
  }
  return files
}
