// Which entries of a tree are files of the site.

/** A regular file, executable or not: symbolic links and submodules are never content. */
export function isFile(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o170000) === 0o100000
}
