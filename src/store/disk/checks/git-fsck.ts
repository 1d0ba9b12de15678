// What git finds wrong with all objects of a repository, while the service goes on writing and joining packs.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { GitFailed, MAX_WHOLE_REPOSITORY_MS, runGit } from '../../../git/command.js'

const CHECK = ['fsck', '--full', '--strict', '--no-dangling', '--no-progress']
/** A site's packs are joined every 30 s at most: what git complains of each time has another reason. */
const MAX_TRIES = 3

/**
 * Rejects with GitFailed, which holds all that git printed, where git finds anything wrong. Git lists the packs first and
 * complains of one that a repack has taken away since, whose objects are in a new pack: it checks anew then.
 */
export async function gitFsck(gitdir: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const packs = packFiles(gitdir)
    try {
      await runGit(gitdir, CHECK, { maxMs: MAX_WHOLE_REPOSITORY_MS })
      return
    } catch (error) {
      const isComplaint = error instanceof GitFailed && !error.wasKilled
      if (!isComplaint || tries === MAX_TRIES || packs.every((pack) => existsSync(pack))) throw error
    }
  }
}

/** None in a repository that has lost its folders. */
function packFiles(gitdir: string): string[] {
  const folder = join(gitdir, 'objects', 'pack')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.pack'))
    .map((file) => join(folder, file))
}
