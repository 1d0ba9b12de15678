// Lists all objects of a repository on this machine's disk as packs, for sending to the log.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_WHOLE_REPOSITORY_MS, runGit } from '../../git/command.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import type { PackToInstall } from '../../repository/protocol/write.js'

/** Packs loose objects first: git keeps the fetched objects of a small repository loose. Rejects with GitFailed. */
export async function packAll(gitdir: string): Promise<PackToInstall[]> {
  await runGit(gitdir, ['repack', '-d', '--quiet'], { maxMs: MAX_WHOLE_REPOSITORY_MS, niceness: SERVING_NICENESS })
  const folder = join(gitdir, 'objects', 'pack')
  return readdirSync(folder).flatMap((file) => {
    const [, id] = /^pack-([0-9a-f]{40})\.pack$/.exec(file) ?? []
    if (id === undefined) return []
    const path = join(folder, `pack-${id}`)
    return [{ id, path, bytes: statSync(`${path}.pack`).size }]
  })
}
