// Tells that main or a tag of a repository may have moved, whoever moved it: the kernel tells of the files that hold them. Nothing is
// asked while nothing moves.

import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

const HEADS = 'refs/heads'
const TAGS = 'refs/tags'

interface WatchedFolder {
  /** A folder that is made anew under the same name is another one. */
  inode: number
  watcher: FSWatcher
}

export class RefWatch {
  readonly #gitdir: string
  readonly #onMoved: () => void
  readonly #folders = new Map<string, WatchedFolder>()

  /** Throws errors of the system: where it watches no more files, or the repository is missing. */
  constructor(gitdir: string, onMoved: () => void) {
    this.#gitdir = gitdir
    this.#onMoved = onMoved
    try {
      // Packed refs lie in the repository's own folder; git makes the folders of refs anew where they are missing.
      for (const folder of ['', 'refs', HEADS]) this.#watch(folder)
      this.#watchTags()
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    for (const { watcher } of this.#folders.values()) watcher.close()
    this.#folders.clear()
  }

  #watch(folder: string): void {
    const path = join(this.#gitdir, folder)
    const { ino: inode } = statSync(path)
    if (this.#folders.get(folder)?.inode === inode) return
    this.#folders.get(folder)?.watcher.close()
    const watcher = watch(path, { persistent: false }, (_kind, name) => this.#heard(folder, name ?? ''))
    // The folder has gone: those above tell of it.
    watcher.on('error', () => undefined)
    this.#folders.set(folder, { inode, watcher })
  }

  #heard(folder: string, name: string): void {
    if (name.endsWith('.lock')) return
    if (folder === '' && name !== 'packed-refs' && name !== 'refs') return
    if (folder === HEADS && name !== 'main') return
    try {
      if (folder !== HEADS && name !== 'packed-refs') this.#watchAgain()
    } catch {
      // It is being changed: what comes next is told of too.
    }
    this.#onMoved()
  }

  #watchAgain(): void {
    for (const folder of ['refs', HEADS]) this.#watch(folder)
    this.#watchTags()
  }

  /** Tags with slashes in their names lie in folders of their own. */
  #watchTags(): void {
    const found = new Set(foldersBelow(this.#gitdir, TAGS))
    for (const folder of found) this.#watch(folder)
    for (const [folder, { watcher }] of this.#folders) {
      if (!folder.startsWith(TAGS) || found.has(folder)) continue
      watcher.close()
      this.#folders.delete(folder)
    }
  }
}

/** The folder and all below it; none where it is missing. */
function foldersBelow(gitdir: string, folder: string): string[] {
  let entries
  try {
    entries = readdirSync(join(gitdir, folder), { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const inner = entries.filter((entry) => entry.isDirectory())
  return [folder, ...inner.flatMap(({ name }) => foldersBelow(gitdir, `${folder}/${name}`))]
}
