// Remembers the folders on the way to the last file. The next lookup in the same folder begins there, also if it is repeated because a read
// had to wait. So a path of 500 folders is not walked from the root each time.

import { findEntry, MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { isLink } from './file-mode.js'

/** The place to which symbolic links have led, by its own tree path, and how many of them. */
export interface Way {
  path: string
  links: number
}

export interface WalkedEntry extends TreeEntry {
  /** Undefined if no link was followed. */
  way?: Way
}

/** Returns what a link in a folder leads to. */
export type FollowLink = (link: TreeEntry, folder: Way) => WalkedEntry | undefined

/** Finds entries. Its methods throw the errors of reading a tree, and keep the folders found before. */
export class WalkedFolders {
  readonly #objects: Pick<ObjectReader, 'readTree'>
  /** The names of the folders below the root. */
  #names: string[] = []
  /** The root, then the folder of each name. */
  readonly #folders: Pick<WalkedEntry, 'oid' | 'way'>[]
  readonly #follow: FollowLink | undefined

  /** Without `follow`, a link is an entry like others. */
  constructor(objects: Pick<ObjectReader, 'readTree'>, root: Oid, follow?: FollowLink) {
    this.#objects = objects
    this.#folders = [{ oid: root }]
    this.#follow = follow
  }

  /** Returns the entry at a tree path, of any mode. */
  entry(treePath: string): WalkedEntry | undefined {
    const names = treePath.split('/')
    const last = names.pop() ?? ''
    return this.#walk(names) < names.length ? undefined : this.#entryIn(names.length, last)
  }

  /** Returns the `wanted` entry of that name in the folder ('' is the root) or in the nearest one above it. */
  nearest(
    folder: string,
    name: string,
    wanted: (entry: WalkedEntry) => boolean,
  ): { path: string; entry: WalkedEntry } | undefined {
    const names = folder === '' ? [] : folder.split('/')
    for (let depth = this.#walk(names); depth >= 0; depth--) {
      const entry = this.#entryIn(depth, name)
      if (entry !== undefined && wanted(entry)) return { path: [...names.slice(0, depth), name].join('/'), entry }
    }
    return undefined
  }

  /** Walks down, and returns how many of the names are folders in a row. */
  #walk(names: readonly string[]): number {
    let depth = 0
    while (depth < names.length && names[depth] === this.#names[depth]) depth++
    if (depth === names.length) return depth
    this.#names.length = depth
    this.#folders.length = depth + 1
    for (const name of names.slice(depth)) {
      const entry = this.#entryIn(depth, name)
      if (entry?.mode !== MODE_TREE) break
      this.#names.push(name)
      this.#folders.push(entry)
      depth++
    }
    return depth
  }

  #entryIn(depth: number, name: string): WalkedEntry | undefined {
    const folder = this.#folders[depth]
    const entry = folder && findEntry(this.#objects.readTree(folder.oid), name)
    if (folder === undefined || entry === undefined) return undefined
    const { way } = folder
    if (this.#follow !== undefined && isLink(entry.mode))
      return this.#follow(entry, way ?? { path: this.#names.slice(0, depth).join('/'), links: 0 })
    return way === undefined ? entry : { ...entry, way: { ...way, path: joinTreePath(way.path, name) } }
  }
}
