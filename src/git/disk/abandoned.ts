// Finds and removes files that git commands left when they were killed or the machine stopped: locks and temporary packs.

import { readdirSync, rmSync, statSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'

/** git itself takes an older `gc.pid` for abandoned (builtin/gc.c); no command of git runs for so long. */
const MAX_GIT_RUN_MS = 12 * 3600_000
/** Precision of file times and of the boot time. */
const CLOCK_ERROR_MS = 1000
/** Files that git renames into place or removes. While one exists, git refuses to change the file it locks. */
const LOCKS = ['HEAD.lock', 'config.lock', 'packed-refs.lock']
const DERIVED_LOCKS = [
  'objects/info/commit-graph.lock',
  'objects/info/commit-graphs/commit-graph-chain.lock',
  'objects/pack/multi-pack-index.lock',
]
/** Packs and indexes that are being written (git-repack, git-index-pack). */
const TEMPORARY_PACK = /^(?:tmp_(?:pack|idx|rev|bitmap|mtimes)_|\.tmp-\d+-pack-)/

/** Folders with the objects of a push that git has not taken in yet (tmp-objdir.c). */
const INCOMING = /^tmp_objdir-/
const TEMPORARY_OBJECT = /^tmp_obj_/

/** Removes git's locks from before the machine's boot: the processes that made them are gone. */
export function removeLocksOfEarlierBoot(gitdir: string): void {
  const refs = namesBelow(join(gitdir, 'refs')).filter((name) => name.endsWith('.lock'))
  for (const name of [...LOCKS, ...DERIVED_LOCKS, ...refs.map((ref) => join('refs', ref))]) {
    const path = join(gitdir, name)
    const writtenAt = writeTimeOf(path)
    if (writtenAt !== undefined && isOfEarlierBoot(writtenAt)) rmSync(path, { force: true })
  }
}

/** Lists temporary packs, folders of pushes, and locks of derived files, left by killed git commands. Remove them only while holding gc.pid. */
export function abandonedFiles(gitdir: string): string[] {
  const objects = join(gitdir, 'objects')
  return [
    ...namesLike(join(objects, 'pack'), TEMPORARY_PACK),
    ...namesLike(objects, INCOMING),
    ...DERIVED_LOCKS.map((name) => join(gitdir, name)),
  ].filter(isLeft)
}

/** Lists temporary loose objects that killed git commands left: it reads up to 256 folders. */
export function abandonedObjects(gitdir: string): string[] {
  const folders = namesLike(join(gitdir, 'objects'), /^[0-9a-f]{2}$/)
  return folders.flatMap((folder) => namesLike(folder, TEMPORARY_OBJECT)).filter(isLeft)
}

function namesLike(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
}

function isLeft(path: string): boolean {
  const writtenAt = writeTimeOf(path)
  return writtenAt !== undefined && isAbandoned(writtenAt)
}

/** Whether no command of git that wrote a file at this time can still run. */
export function isAbandoned(writtenAtMs: number): boolean {
  return isOfEarlierBoot(writtenAtMs) || Date.now() - writtenAtMs > MAX_GIT_RUN_MS
}

function isOfEarlierBoot(writtenAtMs: number): boolean {
  return writtenAtMs < Date.now() - uptime() * 1000 - CLOCK_ERROR_MS
}

/** Returns the write time; undefined if there is no such file. */
function writeTimeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
