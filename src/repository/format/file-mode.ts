// Tells which tree entries are files of the site, and which may lead to one.

import { MODE_SYMLINK } from '../../git/objects/tree.js'

/** Whether the mode is that of a regular file, executable or not. Symbolic links and submodules are never content. */
export function isFile(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o170000) === 0o100000
}

/** Whether the mode is that of a symbolic link. */
export function isLink(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o170000) === MODE_SYMLINK
}
