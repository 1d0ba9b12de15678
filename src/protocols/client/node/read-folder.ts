// `palimpsest-client/node` reads a folder of this machine, for a deploy. Only Node has files.

import { openAsBlob } from 'node:fs'
import type { DeployFile } from '../deploy.js'
import { doSideBySide } from '../side-by-side.js'
import { blobOf } from './blob.js'
import { filesOfFolder, type FolderOptions } from './folder.js'
import { UnusableFolder } from './unusable-folder.js'

export { type FolderOptions, UnusableFolder }

export interface FolderToDeploy {
  /** Files by name. Their bytes are read when they are sent. */
  files: DeployFile[]
  /** Number of hidden or ignored names that are left out. */
  ignored: number
}

/** Throws UnusableFolder if names cannot be published: links to nothing or out of the folder, and names that are no file. */
export async function readFolder(folder: string, options: FolderOptions = {}): Promise<FolderToDeploy> {
  const { files, refused, ignored } = filesOfFolder(folder, options)
  if (refused.length > 0)
    throw new UnusableFolder(`${refused.length} of the names in ${folder} cannot be published.`, refused)
  const read: DeployFile[] = []
  await doSideBySide(files, async ({ name, file }) => {
    read.push({ name, ...(await blobOf(file)), read: () => openAsBlob(file) })
  })
  return { files: read.toSorted((a, b) => (a.name < b.name ? -1 : 1)), ignored }
}
