// Finds what visitors can be shown at a tree path. A symbolic link is an alias of the file or folder of the same tree to which it leads.
// No link leads out of the tree, nor to a place that is never served.

import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { isOwnPath, isRulesFile } from '../../model/paths/tree-name.js'
import { isFile, isLink } from './file-mode.js'
import { WalkedFolders, type WalkedEntry, type Way } from './walked-folders.js'

/** The most links that one path may lead over. */
const MAX_LINKS = 8
/** The longest text of a link that is followed: each name costs a look-up. */
const MAX_NAMES = 64
const MAX_TEXT_BYTES = 4096

type LinkedEntry = WalkedEntry & { way: Way }

/** Its methods throw the errors of reading trees and the texts of links. */
export class LinkedFolders {
  readonly #objects: Pick<ObjectReader, 'readTree' | 'readBlobWithin'>
  readonly #root: Oid
  readonly #stored: WalkedFolders
  readonly #linked: WalkedFolders

  constructor(objects: Pick<ObjectReader, 'readTree' | 'readBlobWithin'>, root: Oid) {
    this.#objects = objects
    this.#root = root
    this.#stored = new WalkedFolders(objects, root)
    this.#linked = new WalkedFolders(objects, root, (link, folder) => this.#follow(link, folder))
  }

  /** Returns the entry at a tree path, or what the links on the way lead to. It is a submodule, a file or a folder. */
  entry(treePath: string): WalkedEntry | undefined {
    const found = this.#linked.entry(treePath)
    return found !== undefined && isShown(found) ? found : undefined
  }

  /** Finds the file of that name in the folder ('' is the root) or in the nearest one above it. */
  nearestFile(folder: string, name: string): { path: string; entry: WalkedEntry } | undefined {
    return this.#linked.nearest(folder, name, (entry) => isFile(entry.mode) && isShown(entry))
  }

  #follow({ oid }: TreeEntry, { path, links }: Way): LinkedEntry | undefined {
    const names = this.#objects.readBlobWithin(oid, MAX_TEXT_BYTES)?.toString().split('/') ?? ['']
    const isOutside = names[0] === ''
    if (isOutside || names.length > MAX_NAMES || links === MAX_LINKS) return undefined
    let found = this.#storedAt({ path, links: links + 1 })
    for (const name of names) found = found && this.#step(found, name)
    return found
  }

  /** Goes on from an entry as file systems do. */
  #step(from: LinkedEntry, name: string): LinkedEntry | undefined {
    if (from.mode !== MODE_TREE) return undefined
    if (name === '' || name === '.') return from
    const { path, links } = from.way
    if (name === '..') return path === '' ? undefined : this.#storedAt({ path: folderOf(path), links })
    const found = this.#storedAt({ path: joinTreePath(path, name), links })
    if (found !== undefined && isLink(found.mode)) return this.#follow(found, from.way)
    return found !== undefined && isShown(found) ? found : undefined
  }

  #storedAt(way: Way): LinkedEntry | undefined {
    const entry = way.path === '' ? { mode: MODE_TREE, name: '', oid: this.#root } : this.#stored.entry(way.path)
    return entry && { ...entry, way }
  }
}

/** Returns why the symbolic link at a tree path is no alias, with what to do; `found` is what it leads to. Undefined if it is one. */
export function whyNoAlias(treePath: string, found: WalkedEntry | undefined): string | undefined {
  const leads = found !== undefined && (isFile(found.mode) || found.mode === MODE_TREE)
  if (leads && mayBeServed(treePath, found.mode)) return undefined
  return leads || isRulesFile(treePath)
    ? 'A symbolic link is not followed at this name. Push the file itself.'
    : 'This symbolic link leads to no file or folder that the site serves, so it is 404. Push the file itself.'
}

/** Whether a path that links led to is served. Any other path is judged by those who ask for it. */
function isShown({ mode, way }: WalkedEntry): boolean {
  return way === undefined || mayBeServed(way.path, mode)
}

function mayBeServed(treePath: string, mode: number): boolean {
  const path = mode === MODE_TREE ? joinTreePath(treePath, 'index.html') : treePath
  return !isOwnPath(path) && !isRulesFile(path)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}
