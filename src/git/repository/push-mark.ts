// Has git leave a mark in a repository when somebody begins to push to it by path. git-receive-pack runs `core.alternateRefsCommand` for
// each alternate (gitrepository-layout) when it lists refs, and again before the hook. Our only alternate is an empty folder, and the
// command is touch(1). So the folder's modification time is the mark. A site's repository never borrows an object.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { writeFileDurable } from '../disk/durable.js'
import { SCRATCH, scratchPath } from '../disk/scratch.js'

/** The setting, with its name in lower case, and its only value. */
export const MARK_SETTING = ['core.alternaterefscommand', 'touch'] as const
/** The file with the folders that objects are borrowed from, one a line. */
const ALTERNATES = 'objects/info/alternates'
/** The path from the folder of the objects, so that a moved repository needs no other. */
const ALTERNATES_TEXT = `../${SCRATCH}/pushers/objects\n`
const MARK = `${SCRATCH}/pushers`
/** git asks no folder without these two. */
const FOLDERS = [`${MARK}/objects`, `${MARK}/refs`]
/** git writes the path in full into a local clone of a site. */
const OF_ANY_SITE = new RegExp(`^(?:.*/)?${MARK}/objects$`)

/** Makes folders and file unless they are there, in a repository that borrows nothing. */
export function makePushMark(gitdir: string): void {
  for (const folder of FOLDERS) mkdirSync(join(gitdir, folder), { recursive: true })
  if (readAlternates(gitdir) === ALTERNATES_TEXT) return
  const made = scratchPath(gitdir, 'ref')
  writeFileDurable(made, Buffer.from(ALTERNATES_TEXT))
  mkdirSync(join(gitdir, 'objects', 'info'), { recursive: true })
  renameSync(made, join(gitdir, ALTERNATES))
}

/** Whether git could find objects of the repository elsewhere. */
export function borrowsObjects(gitdir: string): boolean {
  return linesOf(readAlternates(gitdir)).some(
    (line) => !OF_ANY_SITE.test(line) || !isEmpty(resolve(gitdir, 'objects', line)),
  )
}

/** Makes a repository borrow all objects of another, and no others. `folder` leads to them from the folder of its own objects. */
export function borrowObjects(gitdir: string, folder: string): void {
  const made = `${join(gitdir, ALTERNATES)}.new`
  mkdirSync(dirname(made), { recursive: true })
  rmSync(made, { force: true })
  writeFileDurable(made, Buffer.from(`${folder}\n`))
  renameSync(made, join(gitdir, ALTERNATES))
}

/** Whether git finds objects of the repository in that folder, and in no other. */
export function borrowsFrom(gitdir: string, folder: string): boolean {
  const [line, ...others] = linesOf(readAlternates(gitdir))
  const objects = join(gitdir, 'objects')
  return line !== undefined && others.length === 0 && resolve(objects, line) === resolve(objects, folder)
}

/** Leaves a mark as git does, for a push that is about to land. Does nothing for somebody who may not. */
export function markPush(gitdir: string): void {
  const now = new Date()
  try {
    utimesSync(join(gitdir, MARK), now, now)
  } catch {
    // Only the pause for this push depends on it.
  }
}

/** Returns the time of the newest mark, in milliseconds; undefined without any. */
export function pushMarkOf(gitdir: string): number | undefined {
  return statSync(join(gitdir, MARK), { throwIfNoEntry: false })?.mtimeMs
}

function readAlternates(gitdir: string): string {
  const path = join(gitdir, ALTERNATES)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Leaves out comments, as git does. */
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}
