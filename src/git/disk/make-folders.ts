// Creates a folder and its missing parents, as `mkdir -p` does.

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates folders without Node's recursive mkdir, which never returns below /proc, where folders exist and every new name "does not". */
export function makeFolders(path: string, mode = 0o777): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolders(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created it since.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
