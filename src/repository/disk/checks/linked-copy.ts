// Makes a copy of a repository that shares its files by hard links, in moments. Then git sees the repository as it was, however long it
// reads, while writes go on and packs are joined.

import { copyFileSync, type Dirent, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dropTemporary } from '../../../git/disk/drop-temporary.js'
import { makeView } from '../../../git/disk/objects-view.js'
import { scratchPath } from '../../../git/disk/scratch.js'
import { MULTI_PACK_INDEX, namesGonePack } from './multi-pack-index.js'

/** A repack can remove packs between the listing and the links, but hardly ever so many times. */
const MAX_LISTINGS = 8
/** The files that git reads with a pack, and its index over several packs. A `.keep` comes and goes with each write. */
const PACK_FILE = /^(?:pack-[0-9a-f]+\.(?:pack|idx|rev|bitmap|mtimes|promisor)|multi-pack-index.*)$/
/** Files and folders that git is still writing. */
const UNFINISHED = /^(?:tmp_|incoming-)/

/**
 * Calls `work` with the folder of the copy, and removes the copy afterwards. If no copy can be made, for example on a full disk,
 * `work` gets the repository itself.
 */
export async function withLinkedCopy<T>(gitdir: string, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = scratchPath(gitdir, 'copy')
  try {
    return await work(tryCopy(gitdir, copy) ? copy : gitdir)
  } finally {
    await dropTemporary(copy)
  }
}

/**
 * Copies refs, their logs and the commit graph first, so that all objects that they name exist when the objects are linked. Loose refs
 * come before packed ones and loose objects before packs, because each moves only in that direction.
 */
function tryCopy(gitdir: string, copy: string): boolean {
  try {
    makeView(gitdir, copy)
    for (const folder of ['logs', 'refs']) copyFolder(join(gitdir, folder), join(copy, folder), copyFileSync)
    ifThere(() => copyFileSync(join(gitdir, 'packed-refs'), join(copy, 'packed-refs')))
    const [objects, links] = [join(gitdir, 'objects'), join(copy, 'objects')]
    // The folder that it names is empty, and not in the copy (push-mark.ts).
    copyFolder(join(objects, 'info'), join(links, 'info'), linkSync, ['alternates'])
    copyFolder(objects, links, linkSync, ['info', 'pack'])
    linkPacks(join(objects, 'pack'), join(links, 'pack'))
    return true
  } catch {
    return false
  }
}

/** Copies a folder, except locks, unfinished files, and files that are gone by now. */
function copyFolder(
  from: string,
  to: string,
  copyFile: (from: string, to: string) => void,
  except: readonly string[] = [],
): void {
  mkdirSync(to, { recursive: true })
  for (const entry of entriesIn(from)) {
    const { name } = entry
    if (except.includes(name) || name.endsWith('.lock') || UNFINISHED.test(name)) continue
    if (entry.isDirectory()) copyFolder(join(from, name), join(to, name), copyFile)
    else if (entry.isFile()) ifThere(() => copyFile(join(from, name), join(to, name)))
    else if (entry.isSymbolicLink()) throw new Error(`${join(from, name)} is elsewhere`)
  }
}

/**
 * Links the packs. Lists them again if one has gone, because its objects are then in a pack that was not listed. Does the same if
 * git's index over several packs does not match the list.
 */
function linkPacks(from: string, to: string): void {
  for (let listings = 1; ; listings++) {
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to)
    const names = entriesIn(from).flatMap(({ name }) => (PACK_FILE.test(name) ? [name] : []))
    const isComplete = names.every((name) => ifThere(() => linkSync(join(from, name), join(to, name))))
    if ((isComplete && !namesGonePack(join(to, MULTI_PACK_INDEX))) || listings === MAX_LISTINGS) return
  }
}

function entriesIn(folder: string): Dirent[] {
  let entries: Dirent[] = []
  ifThere(() => (entries = readdirSync(folder, { withFileTypes: true })))
  return entries
}

/** Returns false if the file or folder is gone. */
function ifThere(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
