// Keeps a repository quick to read: a pack for each batch makes many, and git's own repack makes few of them again.
// Writers go on during it: a batch in progress is held by its `.keep`, and no object is ever dropped, reachable or not.

import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '../../git/command.js'
import { lockGc } from '../../git/disk/gc-lock.js'

/** One thread and little memory: readers and writers must not notice it. */
const MODEST = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', '-c', 'gc.auto=0']
/** Measured: thousands of packs make `git log -- path` ten times slower, and a clone thirteen. */
export const MAX_PACKS = 200
/** git writes packs under such names; no command works on one for so long. */
const TEMPORARY = /^tmp_/
const MAX_TEMPORARY_MS = 24 * 3600_000

/** Whether there are 200 packs that a repack may join, or what a killed repack left. */
export function isMaintenanceDue(gitdir: string): boolean {
  const files = readdirSync(packFolderOf(gitdir))
  const kept = new Set(files.filter((file) => file.endsWith('.keep')).map((file) => file.replace(/keep$/, 'pack')))
  const packs = files.filter((file) => file.endsWith('.pack') && !kept.has(file))
  return packs.length >= MAX_PACKS || abandonedFiles(gitdir, files).length > 0
}

/**
 * Joins small packs into larger ones (git-repack, --geometric), and writes the commit graph and packed refs, at low
 * priority. False when a `git gc` or another maintenance runs there. Rejects with git's words.
 */
export async function maintainRepository(gitdir: string): Promise<boolean> {
  const unlock = lockGc(gitdir)
  if (unlock === undefined) return false
  try {
    for (const path of abandonedFiles(gitdir, readdirSync(packFolderOf(gitdir)))) rmSync(path, { force: true })
    await git(gitdir, ['repack', '-d', '-l', '-q', '--geometric=2'])
    await git(gitdir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
    await git(gitdir, ['pack-refs'])
    return true
  } finally {
    unlock()
  }
}

/** Files that a git process left among the packs when it was killed a day ago or earlier. */
function abandonedFiles(gitdir: string, files: readonly string[]): string[] {
  const paths = files.filter((file) => TEMPORARY.test(file)).map((file) => join(packFolderOf(gitdir), file))
  return paths.filter((path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat !== undefined && Date.now() - stat.mtimeMs > MAX_TEMPORARY_MS
  })
}

function packFolderOf(gitdir: string): string {
  return join(gitdir, 'objects', 'pack')
}

async function git(gitdir: string, args: string[]): Promise<void> {
  await runGit(gitdir, [...MODEST, ...args], { isBackground: true })
}
