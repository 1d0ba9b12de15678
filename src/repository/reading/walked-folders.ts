// Remembers the folders on the way to the last file. The next lookup in the same folder begins there, and so does a lookup that is
// repeated because a read had to wait: a path of 500 folders is not walked from the root each time.

import { findEntry, MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'

/** Finds entries. Its methods throw the errors of reading a tree, and keep the folders found before. */
export class WalkedFolders {
  readonly #objects: Pick<ObjectReader, 'readTree'>
  /** The names of the folders below the root. */
  #names: string[] = []
  /** The root, then the folder of each name. */
  readonly #oids: Oid[]

  constructor(objects: Pick<ObjectReader, 'readTree'>, root: Oid) {
    this.#objects = objects
    this.#oids = [root]
  }

  /** Returns the entry at a tree path, of any mode. */
  entry(treePath: string): TreeEntry | undefined {
    const names = treePath.split('/')
    const last = names.pop() ?? ''
    return this.#walk(names) < names.length ? undefined : this.#entryIn(names.length, last)
  }

  /** Returns the `wanted` entry of that name in the folder ('' is the root) or in the nearest one above it. */
  nearest(folder: string, name: string, wanted: (entry: TreeEntry) => boolean): { path: string; oid: Oid } | undefined {
    const names = folder === '' ? [] : folder.split('/')
    for (let depth = this.#walk(names); depth >= 0; depth--) {
      const entry = this.#entryIn(depth, name)
      if (entry !== undefined && wanted(entry))
        return { path: [...names.slice(0, depth), name].join('/'), oid: entry.oid }
    }
    return undefined
  }

  /** Walks down, and returns how many of the names are folders in a row. */
  #walk(names: readonly string[]): number {
    let depth = 0
    while (depth < names.length && names[depth] === this.#names[depth]) depth++
    if (depth === names.length) return depth
    this.#names.length = depth
    this.#oids.length = depth + 1
    for (const name of names.slice(depth)) {
      const entry = this.#entryIn(depth, name)
      if (entry?.mode !== MODE_TREE) break
      this.#names.push(name)
      this.#oids.push(entry.oid)
      depth++
    }
    return depth
  }

  #entryIn(depth: number, name: string): TreeEntry | undefined {
    const oid = this.#oids[depth]
    return oid === undefined ? undefined : findEntry(this.#objects.readTree(oid), name)
  }
}
