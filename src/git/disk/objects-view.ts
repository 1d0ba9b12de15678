// Folders in the form of a repository, through which git reads the objects of another one. They have no operator's settings and no
// replaced objects.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { PROCESS_TAG } from './process-tag.js'
import { makeScratch } from './scratch.js'

const FILES = {
  config: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  /** Written last: git takes the folder for a repository once it exists. */
  HEAD: 'ref: refs/heads/main\n',
}

/** Makes a view in our folder of the repository. It is complete at any moment, even if several processes make it at once. Not durable. */
export function makeView(gitdir: string, view: string): void {
  makeScratch(gitdir)
  // Does not create the folders above: the repository may have been removed.
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
