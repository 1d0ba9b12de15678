// Keeps a repository quick to read: each batch adds a pack, and git's own repack joins many into few.
// Writes go on meanwhile. The `.keep` of a batch in progress protects it, and no object is ever dropped, reachable or not.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, runGit } from '../../git/command.js'
import { abandonedFiles, abandonedObjects } from '../../git/disk/abandoned.js'
import { lockGc } from '../../git/disk/gc-lock.js'
import { MODEST_PACKING } from '../../git/packing-settings.js'
import { BACKGROUND_NICENESS, SERVING_NICENESS } from '../../git/priority.js'
import { countLooseTags } from '../../git/repository/tag-refs.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { MULTI_PACK_INDEX, namesGonePack } from './checks/multi-pack-index.js'
import { isIndexSpare } from './checks/spare-index.js'

/** Larger files are read by offset. If they were stored as deltas, only git could read them, whole and in memory. */
export const PACKING_SETTINGS = ['-c', `core.bigFileThreshold=${MAX_BLOB_BYTES}`, '-c', 'gc.auto=0']
/** Measured: with thousands of packs `git log -- path` is ten times slower, and a clone thirteen times. */
export const MAX_PACKS = 200
/** With more, maintenance no longer comes last: on a machine without idle time it would never end, and each pack takes memory and time. */
const URGENT_PACKS = 1_000

/** A loose tag is a file of its own. All of them are read again each time a tag has changed. */
const MAX_LOOSE_TAGS = 500

/** Files that git derives from a pack and its index. A `.keep` may come before its pack. */
const DERIVED = ['rev', 'bitmap', 'mtimes']

type Run = Pick<GitOptions, 'niceness' | 'signal'>

/** Whether there are 200 packs that a repack may join, files that a killed repack left, or many loose tags. */
export function isMaintenanceDue(gitdir: string): boolean {
  return countPacks(gitdir) >= MAX_PACKS || abandonedFiles(gitdir).length > 0 || countLooseTags(gitdir) > MAX_LOOSE_TAGS
}

/** Counts the packs that a repack may join. */
export function countPacks(gitdir: string): number {
  const files = readdirSync(join(gitdir, 'objects', 'pack'))
  const kept = new Set(files.filter((file) => file.endsWith('.keep')).map((file) => file.replace(/keep$/, 'pack')))
  return files.filter((file) => file.endsWith('.pack') && !kept.has(file)).length
}

/**
 * Removes the leftovers of killed git commands and power cuts. Joins small packs into larger ones (git-repack, --geometric), and writes the
 * commit graph and packed refs. Its priority is low unless packs are many. Returns false if a `git gc` or another maintenance runs. Rejects
 * with git's message, also if `signal` ends git.
 */
export async function maintainRepository(gitdir: string, signal?: AbortSignal): Promise<boolean> {
  const unlock = lockGc(gitdir)
  if (unlock === undefined) return false
  try {
    for (const path of [...abandonedFiles(gitdir), ...abandonedObjects(gitdir)])
      rmSync(path, { recursive: true, force: true })
    await removeOrphans(gitdir)
    const run = { signal, niceness: countPacks(gitdir) > URGENT_PACKS ? SERVING_NICENESS : BACKGROUND_NICENESS }
    await git(gitdir, ['repack', '-d', '-l', '-q', '--geometric=2'], run)
    await git(gitdir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'], run)
    // git runs the hook twice for each packed ref. Packing changes no value, so there is nothing to judge.
    await git(gitdir, ['-c', 'core.hooksPath=/dev/null', 'pack-refs'], run)
    await shortenReflogs(gitdir, run)
    return true
  } finally {
    unlock()
  }
}

/** Ends the lines of reflogs after 90 days, as `git gc` does. It reads no history: both times are the same. */
async function shortenReflogs(gitdir: string, run: Run): Promise<void> {
  try {
    await git(gitdir, ['reflog', 'expire', '--all', '--expire=90.days.ago', '--expire-unreachable=90.days.ago'], run)
  } catch {
    // git skips a ref that is being moved. The next run shortens its log.
  }
}

async function git(gitdir: string, args: string[], run: Run): Promise<void> {
  const options = { ...run, leadsGroup: run.signal !== undefined }
  await runGit(gitdir, [...MODEST_PACKING, ...PACKING_SETTINGS, ...args], options)
}

/** Removes leftovers of packs that are gone, after a power cut in a repack: none holds an object. Call it only while gc.pid is held. */
async function removeOrphans(gitdir: string): Promise<void> {
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
