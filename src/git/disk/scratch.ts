// Our folder in a repository, `<gitdir>/palimpsest/`: temporary files, and the owner file of each process that writes.
// Locks of refs and `.keep` files are links to that file. After a crash its text says that the file is ours and which process
// made it. Files made by git are never touched here.

import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, unlink, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { makeFolderDurable, syncDirectory, writeFileDurable } from './durable.js'
import { isOfAnotherProcess, PROCESS_TAG, TAG_PATTERN } from './process-tag.js'

/** Name of our folder in a repository's folder. */
export const SCRATCH = 'palimpsest'
const OWNER = /^palimpsest (\S+)\n$/
const SCRATCH_FILE = new RegExp(`^(?:mark|pack|ref|push|merge|copy)-(${TAG_PATTERN})(?:-|$)`)
const OF_OTHER_THREADS = ['push', 'merge', 'copy']
/** Files set aside that are being removed. Above this number, removing would take longer than replacing. */
const MAX_ASIDE = 8
let made = 0
let aside = 0
/** Files that could not be removed after use. */
const owed = new Set<string>()

/** Returns a path for a temporary file, each time another one. The folder exists once `linkOwner` or `makeScratch` was called. */
export function scratchPath(gitdir: string, kind: 'pack' | 'ref' | 'push' | 'merge' | 'copy'): string {
  return join(gitdir, SCRATCH, `${kind}-${PROCESS_TAG}-${threadId}-${made++}`)
}

/** Creates our folder if it is missing; throws ENOENT if the repository itself is missing. */
export function makeScratch(gitdir: string): void {
  try {
    mkdirSync(join(gitdir, SCRATCH))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Makes `path` a link to this process's owner file, atomically, like O_EXCL. Throws EEXIST if the name is taken. */
export function linkOwner(gitdir: string, path: string): void {
  removeOwed()
  const owner = join(gitdir, SCRATCH, `mark-${PROCESS_TAG}`)
  try {
    linkSync(owner, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeOwner(gitdir, owner)
    // git removes the folders of refs that it packs.
    makeFolderDurable(dirname(path))
    linkSync(owner, path)
  }
}

/**
 * Gives a file that is about to be replaced a second name, so that the rename over it frees nothing. On a disk with online discard, freeing
 * a block takes a millisecond or more. Call the result once the file is replaced: another thread then removes that name. The file is never
 * written again.
 */
export function setAside(gitdir: string, path: string): () => void {
  const name = scratchPath(gitdir, 'ref')
  if (aside >= MAX_ASIDE || !tryLink(path, name)) return () => undefined
  aside += 1
  return () =>
    unlink(name, (error) => {
      aside -= 1
      if (error !== null && error.code !== 'ENOENT') owed.add(name)
    })
}

/** Links the file and returns whether that worked. It need not exist, and replacing it does not depend on this. */
function tryLink(path: string, name: string): boolean {
  try {
    linkSync(path, name)
    return true
  } catch {
    return false
  }
}

/** Removes files that nothing depends on any more. A file that cannot be removed now is removed before the next link is made. */
export function removeQuietly(...paths: string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(path)
    } catch (error) {
      // The caller's work is done, and must not look undone.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') owed.add(path)
    }
  }
}

/** Removes the files that `removeQuietly` could not: a lock that stayed would block every later write. */
export function removeOwed(): void {
  for (const path of Array.from(owed)) {
    // Another program may have removed it and made its own.
    const isOurs = basename(dirname(path)) === SCRATCH || readOwner(path) === PROCESS_TAG
    owed.delete(path)
    if (isOurs) removeQuietly(path)
  }
}

/**
 * Removes the leftovers of crashed processes: locks, `.keep` files and temporary files. Files of running processes stay.
 * Packs and refs of this process count as leftovers: in it, only one thread writes a repository, and that thread calls this.
 */
export function clearScratch(gitdir: string): void {
  makeScratch(gitdir)
  const locks = filesBelow(join(gitdir, 'refs')).filter((path) => path.endsWith('.lock'))
  const keeps = filesBelow(join(gitdir, 'objects', 'pack')).filter((path) => path.endsWith('.keep'))
  for (const path of [...locks, ...keeps]) {
    const maker = readOwner(path)
    if (maker === undefined || isOfAnotherProcess(maker, path)) continue
    rmSync(path, { force: true })
    // The owner file may go only after its links are gone durably.
    syncDirectory(dirname(path))
  }
  for (const name of readdirSync(join(gitdir, SCRATCH))) {
    const path = join(gitdir, SCRATCH, name)
    const [, maker] = SCRATCH_FILE.exec(name) ?? []
    if (maker === undefined || isInUse(name) || isOfAnotherProcess(maker, path)) continue
    rmSync(path, { recursive: true, force: true })
  }
}

/** Removes what pushes have brought so far to a repository that takes no more pushes; skips folders that git is writing to. */
export function clearPushes(gitdir: string): void {
  makeScratch(gitdir)
  for (const name of readdirSync(join(gitdir, SCRATCH)))
    if (name.startsWith('push-')) removeTree(join(gitdir, SCRATCH, name))
}

function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

/** Whether the file is the owner file or belongs to a thread that receives pushes, merges texts or copies repositories, and cleans up itself. */
function isInUse(name: string): boolean {
  return name === `mark-${PROCESS_TAG}` || OF_OTHER_THREADS.some((kind) => name.startsWith(`${kind}-${PROCESS_TAG}-`))
}

/** Whether the lock is ours and its process runs. The time of the lock file is that of the owner file, not of the lock. */
export function isHeldByUs(lockPath: string): boolean {
  try {
    const maker = readOwner(lockPath)
    return maker !== undefined && (maker === PROCESS_TAG || isOfAnotherProcess(maker, lockPath))
  } catch {
    return false
  }
}

/** Returns the tag of the process that made this owner file or link to one; undefined for files of git and of people. */
function readOwner(path: string): string | undefined {
  try {
    return OWNER.exec(readFileSync(path, 'latin1'))?.[1]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the owner file, durable before the first link to it. */
function makeOwner(gitdir: string, owner: string): void {
  makeScratch(gitdir)
  try {
    writeFileDurable(owner, Buffer.from(`palimpsest ${PROCESS_TAG}\n`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  syncDirectory(dirname(owner))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
