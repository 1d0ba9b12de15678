// Keeps the repository of a site's change requests small: one pack for what its branches reach and main does not. It is the only repository
// that the service prunes. Writes go on meanwhile: each brings all objects that its branch lacks, and the `.keep` of its pack protects them.

import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { removeRequestFiles } from '../../index/tables/site-file.js'
import { runGit } from '../../git/command.js'
import { abandonedFiles } from '../../git/disk/abandoned.js'
import { syncDirectory, writeFileDurable } from '../../git/disk/durable.js'
import { lockGc } from '../../git/disk/gc-lock.js'
import { makeScratch, SCRATCH } from '../../git/disk/scratch.js'
import { MODEST_PACKING } from '../../git/packing-settings.js'
import { BACKGROUND_NICENESS } from '../../git/priority.js'
import { readRef } from '../../git/repository/ref.js'
import { MAIN } from '../format/main-ref.js'
import type { SiteRef } from '../protocol/write.js'
import { countPacks, MAX_PACKS, PACKING_SETTINGS } from './maintain.js'
import { branchesOf } from '../protocol/request-branches.js'
import { draftsGitdirOf, gitdirOf } from './site-folders.js'

/** Says that a branch was removed since the last run began. */
const ENDED = `${SCRATCH}/branch-ended`
/** The same mark, while a run is at work. */
const PRUNING = `${SCRATCH}/pruning`

/** Numbers of the files of a pack; undefined for one that is missing. */
interface Inodes {
  idx: number | undefined
  pack: number | undefined
}

/** Notes that objects may have become unreachable. */
export function markEnded(gitdir: string): void {
  if (existsSync(join(gitdir, ENDED))) return
  makeScratch(gitdir)
  writeFileDurable(join(gitdir, ENDED), Buffer.alloc(0))
  syncDirectory(join(gitdir, SCRATCH))
}

/** Whether a branch was removed, there are 200 packs, or a killed command of git left files. */
export function isPruneDue(gitdir: string): boolean {
  if (!existsSync(gitdir)) return false
  const isMarked = [ENDED, PRUNING].some((mark) => existsSync(join(gitdir, mark)))
  return isMarked || countPacks(gitdir) >= MAX_PACKS || abandonedFiles(gitdir).length > 0
}

/**
 * Removes what no change request needs: objects that no branch reaches or that main reaches too, and index files without a branch. Does
 * nothing without change requests. Returns false if another maintenance runs. Rejects with git's message, and then removes nothing; also
 * if `signal` ends git.
 */
export async function maintainDrafts(
  { dataDir }: { dataDir: string },
  { id, slug }: SiteRef,
  signal?: AbortSignal,
): Promise<boolean> {
  const gitdir = draftsGitdirOf(dataDir, slug)
  if (!existsSync(gitdir)) return true
  const isDone = await pruneBorrower(gitdir, gitdirOf(dataDir, { slug }), signal)
  if (isDone) removeRequestFiles(dataDir, id, new Set(branchesOf(gitdir)))
  return isDone
}

/** Removes from a repository what no branch of it reaches, and what main of its lender reaches. Answers as `maintainDrafts` does. */
export async function pruneBorrower(gitdir: string, lender: string, signal?: AbortSignal): Promise<boolean> {
  const unlock = lockGc(gitdir)
  if (unlock === undefined) return false
  try {
    for (const path of abandonedFiles(gitdir)) rmSync(path, { recursive: true, force: true })
    await prune(gitdir, lender, signal)
    return true
  } finally {
    unlock()
  }
}

async function prune(gitdir: string, lender: string, signal: AbortSignal | undefined): Promise<void> {
  if (existsSync(join(gitdir, ENDED))) renameSync(join(gitdir, ENDED), join(gitdir, PRUNING))
  const folder = join(gitdir, 'objects', 'pack')
  // Packs are listed before git reads the refs. One without `.keep` belongs to a ref that has moved, or to none.
  const before = packsIn(folder)
  const main = readRef(lender, MAIN)
  if (main === undefined) throw new Error('the site that they borrow from has no main branch')
  const made = await packWithout(gitdir, main, signal)
  syncDirectory(folder)
  for (const [name, inodes] of before) if (name !== made) removePack(folder, name, inodes)
  rmSync(join(gitdir, PRUNING), { force: true })
}

/**
 * Packs all objects that the refs reach, and those of `main` do not. Objects that the site has but main does not reach are packed too: git
 * may remove those of the site at any time. Returns the name of the pack; undefined if there is nothing to hold.
 */
async function packWithout(gitdir: string, main: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const pack = ['pack-objects', '--all', '--revs', '--non-empty', '--delta-base-offset', '--no-use-bitmap-index', '-q']
  const path = join(gitdir, 'objects', 'pack', 'pack')
  const printed = await runGit(gitdir, [...MODEST_PACKING, ...PACKING_SETTINGS, ...pack, path], {
    // git excludes the folders of the forks by itself, and those of main only if they are named.
    input: [Buffer.from(`^${main}\n^${main}^{tree}\n`)],
    niceness: BACKGROUND_NICENESS,
    leadsGroup: signal !== undefined,
    signal,
  })
  const [id] = printed.toString().split('\n')
  return id === '' || id === undefined ? undefined : `pack-${id}`
}

/** Lists the packs that may be replaced, each with the numbers of its files (inodes). */
function packsIn(folder: string): Map<string, Inodes> {
  const files = readdirSync(folder)
  const found = new Map<string, Inodes>()
  for (const name of files.flatMap((file) => /^(pack-[0-9a-f]+)\.pack$/.exec(file)?.[1] ?? [])) {
    const path = join(folder, name)
    if (!files.includes(`${name}.keep`)) found.set(name, { idx: inodeOf(`${path}.idx`), pack: inodeOf(`${path}.pack`) })
  }
  return found
}

/**
 * Removes a pack, unless a writer puts the same pack there again: then its `.keep` comes first, and its files are others. The index goes
 * first, since without it nobody looks for the pack.
 */
function removePack(folder: string, name: string, inodes: Inodes): void {
  const path = join(folder, name)
  for (const ending of ['idx', 'pack'] as const) {
    const [file, aside] = [`${path}.${ending}`, join(folder, `tmp_pack_${name}.${ending}`)]
    if (existsSync(`${path}.keep`)) return
    if (inodes[ending] === undefined || !existsSync(file)) continue
    renameSync(file, aside)
    const isReplaced = inodeOf(aside) !== inodes[ending] || existsSync(`${path}.keep`)
    if (isReplaced && !existsSync(file)) renameSync(aside, file)
    else rmSync(aside)
    if (isReplaced) return
  }
  rmSync(`${path}.rev`, { force: true })
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
