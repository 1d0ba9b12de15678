// Writes bytes from a service into a folder of the author. The service's answers are not trusted: nothing is written outside of the folder,
// nor through a link, and a file that differs is kept.

import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../git/disk/make-folders.js'

export type Written = { outcome: 'written' | 'unchanged'; at: string } | { outcome: 'failed'; message: string }

/** Writes a file. `name` holds no `..` and does not begin with a slash. A file that differs is replaced only with `force`. */
export function writeBelow(folder: string, name: string, bytes: Uint8Array, { force }: { force: boolean }): Written {
  const link = findLink(folder, name)
  if (link !== undefined) return { outcome: 'failed', message: `${link} is a symbolic link: remove it` }
  const file = join(folder, name)
  const there = statSync(file, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) return { outcome: 'failed', message: `${file} is a folder: remove it` }
  if (there !== undefined) {
    if (readFileSync(file).equals(bytes)) return { outcome: 'unchanged', at: file }
    if (!force) return { outcome: 'failed', message: `${file} exists and differs: --force replaces it` }
  }
  makeFolders(dirname(file))
  // The file's name may be as long as a file system allows, so the temporary name cannot extend it.
  const part = join(dirname(file), `.palimpsest-${process.pid}.part`)
  rmSync(part, { force: true })
  writeFileSync(part, bytes, { flag: 'wx' })
  renameSync(part, file)
  return { outcome: 'written', at: file }
}

/** Returns the first part of the path below the folder that is a symbolic link, which could lead outside. */
function findLink(folder: string, name: string): string | undefined {
  let path = folder
  for (const part of name.split('/')) {
    path = join(path, part)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return path
  }
  return undefined
}
