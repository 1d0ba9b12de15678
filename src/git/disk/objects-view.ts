// Folders in the form of a repository, in which git reads the objects of another one. They have no settings of an operator and no replaced
// objects, and since the `config` of the repository itself is not read, no writer takes our own git for an operator who is about to push
// (OperatorPause).

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { PROCESS_TAG } from './process-tag.js'
import { makeScratch, SCRATCH } from './scratch.js'

const FILES = {
  config: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  /** The last one: git takes the folder for a repository once it is there. */
  HEAD: 'ref: refs/heads/main\n',
}

export interface ObjectsView {
  /** For `--git-dir`. */
  view: string
  /** Where the objects are (GIT_OBJECT_DIRECTORY). */
  objects: string
}

/** For commands that are given oids. Where no view can be made, as on a full disk, git works in the repository itself. */
export function objectsViewOf(gitdir: string): ObjectsView {
  const view = join(gitdir, SCRATCH, 'objects-view')
  const objects = join(gitdir, 'objects')
  try {
    if (!existsSync(join(view, 'HEAD'))) makeView(gitdir, view)
    return { view, objects }
  } catch {
    return { view: gitdir, objects }
  }
}

/** A view in our folder of the repository; whole at any moment, however many processes make it at once. It need not survive a power cut. */
export function makeView(gitdir: string, view: string): void {
  makeScratch(gitdir)
  // Not with all folders above: the repository may have been taken away.
  for (const folder of [view, join(view, 'refs')]) makeFolder(folder)
  for (const [name, text] of Object.entries(FILES)) {
    const next = join(view, `${name}-${PROCESS_TAG}-${threadId}`)
    writeFileSync(next, text)
    renameSync(next, join(view, name))
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
