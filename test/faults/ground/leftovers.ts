// Names the files that a failure may leave in a repository.

/** The owner file of each process, and the folder of the push mark, are there for good. A mark asks for the next maintenance of drafts. */
const PERMANENT = /^palimpsest\/(?:mark-.*|pushers(?:\/objects|\/refs)?|branch-ended|pruning)$/
const TEMPORARY = /\.lock$|\.keep$|\/tmp_|^palimpsest\//

/** Whether a file of a repository must be gone once its site takes writes again: a lock, a `.keep` file, a temporary file. */
export function isLeftover(file: string): boolean {
  return TEMPORARY.test(file) && !PERMANENT.test(file)
}

/** Whether the file is a pack that git itself writes. The service writes its own in `palimpsest/`. */
export function isPackOfGit(file: string): boolean {
  return file.startsWith('objects/pack/tmp_pack_')
}
