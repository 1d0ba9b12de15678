// Makes a folder and those above it that are missing, as `mkdir -p` does.

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Node's own recursive mkdir never returns below /proc, where folders exist and every new name "does not". */
export function makeFolders(path: string, mode = 0o777): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (!existsSync(parent)) makeFolders(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it since.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
