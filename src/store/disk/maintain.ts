// Keeps a repository quick to read: a pack for each batch makes many, and git's own repack makes few of them again.
// Writers go on meanwhile: a batch in progress is held by its `.keep`, and nothing is ever dropped, reachable or not.

import { runGit } from '../../git/command.js'
import { removeAbandonedPacks } from '../../git/disk/abandoned.js'
import { lockGc } from '../../git/disk/gc-lock.js'

/** One thread and little memory: it must not be noticed by who reads and writes. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', '-c', 'gc.auto=0']

/**
 * Joins small packs into larger ones (git-repack, --geometric), and writes the commit graph and packed refs, at low
 * priority. False when a `git gc` or another maintenance is at work there. Rejects with git's words.
 */
export async function maintainRepository(gitdir: string): Promise<boolean> {
  const unlock = lockGc(gitdir)
  if (unlock === undefined) return false
  try {
    removeAbandonedPacks(gitdir)
    await git(gitdir, ['repack', '-d', '-l', '-q', '--geometric=2'])
    await git(gitdir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
    await git(gitdir, ['pack-refs'])
    return true
  } finally {
    unlock()
  }
}

async function git(gitdir: string, args: string[]): Promise<void> {
  await runGit(gitdir, [...MODEST, ...args], { isBackground: true })
}
