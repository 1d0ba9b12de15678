// A folder of this machine in the form in which the rules of a site read it: that of a commit. It holds what `publish` would send.

import { readFileSync, statSync } from 'node:fs'
import { MODE_BLOB, MODE_TREE } from '../../git/objects/tree.js'
import { filesOfFolder } from '../../protocols/client/node/folder.js'
import type { ResolvableView } from '../../repository/resolution/resolution.js'

type Snapshot = ResolvableView['snapshot']
type Entry = NonNullable<ReturnType<Snapshot['entry']>>

export class FolderSnapshot implements Snapshot {
  readonly siteId = 'dev'
  /** Paths on this machine, by name in the site. */
  readonly #files = new Map<string, string>()
  readonly #folders = new Set<string>()

  /** Throws UnusableFolder. */
  constructor(folder: string) {
    for (const { name, file } of filesOfFolder(folder).files) {
      this.#files.set(name, file)
      for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1))
        this.#folders.add(name.slice(0, end))
    }
  }

  entry(name: string): Entry | undefined {
    if (this.#folders.has(name)) return { mode: MODE_TREE, name, oid: '' }
    const file = this.#files.get(name)
    const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
    // Rules are kept by oid: it names this state of the file.
    return stat && { mode: MODE_BLOB, name, oid: `${stat.mtimeMs}-${stat.size}:${name}` }
  }

  linkedEntry(name: string): Entry | undefined {
    return this.entry(name)
  }

  nearestFile(folder: string, name: string): { path: string; entry: Entry } | undefined {
    for (let at = folder; ; at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
      const path = at === '' ? name : `${at}/${name}`
      const entry = this.#files.has(path) ? this.entry(path) : undefined
      if (entry !== undefined) return { path, entry }
      if (at === '') return undefined
    }
  }

  blob(oid: string): Buffer {
    return readFileSync(this.fileOf(nameIn(oid)))
  }

  size(oid: string): number {
    return statSync(this.fileOf(nameIn(oid))).size
  }

  /** Returns the path on this machine. */
  fileOf(name: string): string {
    return this.#files.get(name) ?? ''
  }
}

function nameIn(oid: string): string {
  return oid.slice(oid.indexOf(':') + 1)
}
