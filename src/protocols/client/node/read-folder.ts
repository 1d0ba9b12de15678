// `palimpsest-client/node` reads a folder of this machine, for a deploy. Only Node has files.

import { openAsBlob, statSync } from 'node:fs'
import type { DeployFile } from '../deploy.js'
import { doSideBySide } from '../side-by-side.js'
import { type Blob, blobOf } from './blob.js'
import { filesOfFolder, type FolderOptions, type IgnoredName } from './folder.js'
import { type RefusedName, UnusableFolder } from './unusable-folder.js'

export { type FolderOptions, type IgnoredName, type RefusedName, UnusableFolder }

export interface FolderToDeploy {
  /** Files by name. Their bytes are read when they are sent. */
  files: DeployFile[]
  /** Names that are left out as the rules say. */
  ignored: IgnoredName[]
  /** Names among them that hold pages, and that no rule of the folder ignores. */
  hidden: RefusedName[]
  /** Names that cannot be published. Empty without `skipInvalid`. */
  refused: RefusedName[]
  /** Pages that are not UTF-8. */
  notUtf8: string[]
}

/** The state of a file, named as in node:fs, whose types a user may lack. Any write changes one of these. */
export interface FileState {
  mtimeMs: number
  ctimeMs: number
  size: number
  ino: number
}

/** Blobs that are known from an earlier time, by the path and state of the file. */
export interface KnownBlobs {
  find(file: string, state: FileState): Blob | undefined
  add(file: string, state: FileState, blob: Blob): void
}

export interface ReadOptions extends FolderOptions {
  /** Leaves out names that cannot be published, and lists them. */
  skipInvalid?: boolean
  /** Files that it knows are not read. */
  known?: KnownBlobs
}

/** Throws UnusableFolder if names cannot be published: links to nothing or out of the folder, and names that are no file or no text. */
export async function readFolder(
  folder: string,
  { skipInvalid = false, known, ...options }: ReadOptions = {},
): Promise<FolderToDeploy> {
  const { files, refused, ignored, hidden } = filesOfFolder(folder, options)
  if (refused.length > 0 && !skipInvalid)
    throw new UnusableFolder(`${refused.length} of the names in ${folder} cannot be published.`, refused)
  const read: DeployFile[] = []
  const notUtf8: string[] = []
  await doSideBySide(files, async ({ name, file }) => {
    const { isUtf8, ...blob } = known === undefined ? await blobOf(file) : await knownBlobOf(known, file)
    if (!isUtf8 && name.endsWith('.html')) notUtf8.push(name)
    read.push({ name, ...blob, read: () => openAsBlob(file) })
  })
  const sorted = read.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { files: sorted, ignored, hidden, refused, notUtf8: notUtf8.toSorted() }
}

async function knownBlobOf(known: KnownBlobs, file: string): Promise<Blob> {
  const state = statSync(file)
  const found = known.find(file, state)
  if (found !== undefined) return found
  const blob = await blobOf(file)
  known.add(file, state, blob)
  return blob
}
