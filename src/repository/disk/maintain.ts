// Keeps a repository quick to read: each batch adds a pack, and git's own repack joins many into few.
// Writes go on meanwhile. The `.keep` of a batch in progress protects it, and no object is ever dropped, reachable or not.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '../../git/command.js'
import { abandonedFiles, abandonedObjects } from '../../git/disk/abandoned.js'
import { lockGc } from '../../git/disk/gc-lock.js'
import { MODEST_PACKING } from '../../git/packing-settings.js'
import { BACKGROUND_NICENESS } from '../../git/priority.js'
import { countLooseTags } from '../../git/repository/tag-refs.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { removeOrphans } from './remove-orphans.js'

/** Larger files are read by offset. If they were stored as deltas, only git could read them, whole and in memory. */
const SETTINGS = ['-c', `core.bigFileThreshold=${MAX_BLOB_BYTES}`, '-c', 'gc.auto=0']
/** Measured: with thousands of packs `git log -- path` is ten times slower, and a clone thirteen times. */
export const MAX_PACKS = 200

/** A loose tag is a file of its own. All of them are read again each time a tag has changed. */
const MAX_LOOSE_TAGS = 500

/** Whether there are 200 packs that a repack may join, files that a killed repack left, or many loose tags. */
export function isMaintenanceDue(gitdir: string): boolean {
  const files = readdirSync(join(gitdir, 'objects', 'pack'))
  const kept = new Set(files.filter((file) => file.endsWith('.keep')).map((file) => file.replace(/keep$/, 'pack')))
  const packs = files.filter((file) => file.endsWith('.pack') && !kept.has(file))
  return packs.length >= MAX_PACKS || abandonedFiles(gitdir).length > 0 || countLooseTags(gitdir) > MAX_LOOSE_TAGS
}

/**
 * Removes the leftovers of killed git commands and power cuts, joins small packs into larger ones (git-repack, --geometric), and writes
 * the commit graph and packed refs, at low priority. Returns false if a `git gc` or another maintenance runs. Rejects with git's message, also if `signal` ends git.
 */
export async function maintainRepository(gitdir: string, signal?: AbortSignal): Promise<boolean> {
  const unlock = lockGc(gitdir)
  if (unlock === undefined) return false
  try {
    for (const path of [...abandonedFiles(gitdir), ...abandonedObjects(gitdir)])
      rmSync(path, { recursive: true, force: true })
    await removeOrphans(gitdir)
    await git(gitdir, ['repack', '-d', '-l', '-q', '--geometric=2'], signal)
    await git(gitdir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'], signal)
    // git runs the hook twice for each packed ref. Packing changes no value, so there is nothing to judge.
    await git(gitdir, ['-c', 'core.hooksPath=/dev/null', 'pack-refs'], signal)
    await shortenReflogs(gitdir, signal)
    return true
  } finally {
    unlock()
  }
}

/** Ends the lines of reflogs after 90 days, as `git gc` does. It reads no history: both times are the same. */
async function shortenReflogs(gitdir: string, signal?: AbortSignal): Promise<void> {
  try {
    await git(gitdir, ['reflog', 'expire', '--all', '--expire=90.days.ago', '--expire-unreachable=90.days.ago'], signal)
  } catch {
    // git skips a ref that is being moved. The next run shortens its log.
  }
}

async function git(gitdir: string, args: string[], signal?: AbortSignal): Promise<void> {
  const options = { niceness: BACKGROUND_NICENESS, leadsGroup: signal !== undefined, signal }
  await runGit(gitdir, [...MODEST_PACKING, ...SETTINGS, ...args], options)
}
