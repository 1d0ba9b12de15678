// Paths in trees: names with slashes between, no slash at either end.

/** The path of an entry of a folder; '' is the root. */
export function joinTreePath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
