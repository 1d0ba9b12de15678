// Reports that main or a tag of a repository may have moved, in any process. The kernel reports changes of the files that hold them, so
// an idle repository costs nothing.

import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

const HEADS = 'refs/heads'
const TAGS = 'refs/tags'

interface WatchedFolder {
  /** Tells a folder from a newer one with the same name. */
  inode: number
  watcher: FSWatcher
}

export class RefWatch {
  readonly #gitdir: string
  readonly #onMoved: () => void
  readonly #folders = new Map<string, WatchedFolder>()

  /** Throws errors of the system: it watches no more files, or the repository is missing. */
  constructor(gitdir: string, onMoved: () => void) {
    this.#gitdir = gitdir
    this.#onMoved = onMoved
    try {
      // Packed refs are in the repository's own folder; git recreates missing folders of refs.
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
    // The folder is gone: the folders above report that.
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
      // It is being changed: the next change is reported too.
    }
    this.#onMoved()
  }

  #watchAgain(): void {
    for (const folder of ['refs', HEADS]) this.#watch(folder)
    this.#watchTags()
  }

  /** Watches the folders of tags: tags with slashes in their names have their own. */
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

/** Returns the folder and all below it; none if it is missing. */
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
