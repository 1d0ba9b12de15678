// Files that git's own commands left when they were killed or the machine stopped: locks, and temporary packs.

import { readdirSync, rmSync, statSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'

/** After this git itself takes a `gc.pid` for abandoned (builtin/gc.c); no command of git runs for as long. */
const MAX_GIT_RUN_MS = 12 * 3600_000
/** How exact file times and the time of the boot are. */
const CLOCK_ERROR_MS = 1000
/** Files that git renames into place or removes; while one stays, git refuses to change what it stands for. */
const LOCKS = ['HEAD.lock', 'config.lock', 'packed-refs.lock']
const DERIVED_LOCKS = [
  'objects/info/commit-graph.lock',
  'objects/info/commit-graphs/commit-graph-chain.lock',
  'objects/pack/multi-pack-index.lock',
]
/** Packs and indexes that are being written (git-repack, git-index-pack). */
const TEMPORARY_PACK = /^(?:tmp_(?:pack|idx|rev|bitmap|mtimes)_|\.tmp-\d+-pack-)/

/** Removes the locks of git that are older than the machine's boot: the processes that made them are gone. */
export function removeLocksOfEarlierBoot(gitdir: string): void {
  const refs = namesBelow(join(gitdir, 'refs')).filter((name) => name.endsWith('.lock'))
  for (const name of [...LOCKS, ...DERIVED_LOCKS, ...refs.map((ref) => join('refs', ref))]) {
    const path = join(gitdir, name)
    const writtenAt = writeTimeOf(path)
    if (writtenAt !== undefined && isOfEarlierBoot(writtenAt)) rmSync(path, { force: true })
  }
}

/** Temporary packs, and locks of files that git derives, that killed commands of git left. Remove them only while gc.pid is held. */
export function abandonedFiles(gitdir: string): string[] {
  const folder = join(gitdir, 'objects', 'pack')
  const packs = readdirSync(folder).filter((name) => TEMPORARY_PACK.test(name))
  return [...packs.map((name) => join(folder, name)), ...DERIVED_LOCKS.map((name) => join(gitdir, name))].filter(
    (path) => {
      const writtenAt = writeTimeOf(path)
      return writtenAt !== undefined && isAbandoned(writtenAt)
    },
  )
}

/** Whether no command of git that wrote a file at this time can still run. */
export function isAbandoned(writtenAtMs: number): boolean {
  return isOfEarlierBoot(writtenAtMs) || Date.now() - writtenAtMs > MAX_GIT_RUN_MS
}

function isOfEarlierBoot(writtenAtMs: number): boolean {
  return writtenAtMs < Date.now() - uptime() * 1000 - CLOCK_ERROR_MS
}

/** Undefined where there is no such file. */
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
