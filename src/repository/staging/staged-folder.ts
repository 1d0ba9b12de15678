// A folder of a tree while edits are staged on it. Its read contents are kept for later edits. So a path of 500 folders is walked once for
// each file in it, and not once for each folder.

import { EMPTY_TREE, findEntry, MODE_TREE, parseTree, type TreeEntry } from '../../git/objects/tree.js'
import type { Oid } from '../../git/objects/oid.js'
import { foldCase } from '../../model/paths/page-path.js'

/** The future entry of a name; null removes it. */
export type Edit = { mode: number; oid: Oid } | null
export type ReadTree = (oid: Oid) => Buffer

const NOTHING = Buffer.alloc(0)
/** The largest size of an entry (tree-entry-name.ts). */
const MAX_ENTRY_BYTES = 300

export class StagedFolder {
  /** The last flushed tree; undefined if there is no folder. */
  oid: Oid | undefined
  /** Staged edits of its files, by name. */
  readonly edits = new Map<string, Edit>()
  /** Subfolders that were read or edited, by name. */
  readonly folders = new Map<string, StagedFolder>()
  readonly #readTree: ReadTree
  /** The names of the tree, by folded name. */
  #names: Map<string, string> | undefined
  /** The number of the tree's entries; undefined until it is needed. */
  #count: number | undefined
  /** The names that staged files need, by folded name. */
  readonly #staged = new Map<string, string>()
  #hasRemovals = false
  /** Undefined after an edit in it or below. */
  #isEmpty: boolean | undefined

  constructor(oid: Oid | undefined, readTree: ReadTree) {
    this.oid = oid
    this.#readTree = readTree
  }

  /** Whether anything is staged in it or below it. */
  get isEdited(): boolean {
    return this.#staged.size > 0 || this.#hasRemovals
  }

  /** The number of names that are kept in memory. */
  get size(): number {
    return this.#names?.size ?? 0
  }

  /** Returns the entry of that name, staged edits included. A folder that is only staged has the id of an empty tree. */
  entry(name: string): TreeEntry | undefined {
    const edit = this.edits.get(name)
    if (edit === null) return this.#folderEntry(name)
    if (edit !== undefined) return { ...edit, name }
    return this.#folderEntry(name) ?? this.#fileEntry(name)
  }

  /** Returns the subfolder of that name; undefined if there is none, or its last file is staged for removal. */
  folder(name: string): StagedFolder | undefined {
    const known = this.folders.get(name)
    if (known !== undefined) return known.isEmpty() ? undefined : known
    const found = this.edits.get(name) === null ? undefined : this.#find(name)
    if (found?.mode !== MODE_TREE) return undefined
    const folder = new StagedFolder(found.oid, this.#readTree)
    this.folders.set(name, folder)
    return folder
  }

  /** Returns another name that equals `name` under case folding. `name` itself may be staged. */
  nameLike(name: string): string | undefined {
    const folded = foldCase(name)
    const isOther = (other: string | undefined) =>
      other !== undefined && other !== name && this.entry(other) !== undefined
    const staged = this.#staged.get(folded)
    if (isOther(staged)) return staged
    const known = this.#foldedNames().get(folded)
    return isOther(known) ? known : undefined
  }

  stage(name: string, edit: Edit): void {
    this.#isEmpty = undefined
    this.edits.set(name, edit)
    if (edit === null) this.#hasRemovals = true
    else this.#staged.set(foldCase(name), name)
  }

  /** Forgets the read contents of a subfolder that is removed as a whole. */
  forget(name: string): void {
    this.folders.delete(name)
  }

  /** Returns the subfolder of that name for an edit below it. */
  stageBelow(name: string, edit: Edit): StagedFolder {
    this.#isEmpty = undefined
    const folder = this.folder(name) ?? this.folders.get(name) ?? new StagedFolder(undefined, this.#readTree)
    this.folders.set(name, folder)
    if (edit === null) this.#hasRemovals = true
    else if (!folder.#hasPuts()) this.#staged.set(foldCase(name), name)
    return folder
  }

  discard(): void {
    this.edits.clear()
    this.#staged.clear()
    this.#hasRemovals = false
    this.#isEmpty = undefined
    for (const [name, folder] of this.folders) if (folder.oid === undefined) this.folders.delete(name)
  }

  bytes(): Buffer {
    return this.oid === undefined ? NOTHING : this.#readTree(this.oid)
  }

  /** Takes the flushed tree, with the removed and the put names, so that a large folder is not parsed at each write. */
  becomes(oid: Oid | undefined, removed: readonly string[], put: readonly string[]): void {
    this.oid = oid
    this.#isEmpty = undefined
    this.#count = undefined
    for (const name of removed) this.#names?.delete(foldCase(name))
    for (const name of put) this.#names?.set(foldCase(name), name)
  }

  #hasPuts(): boolean {
    return this.#staged.size > 0
  }

  #folderEntry(name: string): TreeEntry | undefined {
    const folder = this.folders.get(name)
    if (folder === undefined || folder.isEmpty()) return undefined
    return { mode: MODE_TREE, name, oid: folder.oid ?? EMPTY_TREE }
  }

  #fileEntry(name: string): TreeEntry | undefined {
    const found = this.#find(name)
    return found?.mode === MODE_TREE && this.folders.has(name) ? undefined : found
  }

  #find(name: string): TreeEntry | undefined {
    return this.oid === undefined ? undefined : findEntry(this.bytes(), name)
  }

  #foldedNames(): Map<string, string> {
    this.#names ??= new Map(parseTree(this.bytes()).entries.map(({ name }) => [foldCase(name), name]))
    return this.#names
  }

  /** Whether the folder will be empty after the staged edits. */
  isEmpty(): boolean {
    return (this.#isEmpty ??= this.#findEmpty())
  }

  #findEmpty(): boolean {
    if (!this.#hasRemovals) return this.oid === undefined && !this.#hasPuts()
    if (this.oid !== undefined && this.#mustHaveMore(this.edits.size + this.folders.size)) return false
    for (const edit of this.edits.values()) if (edit !== null) return false
    for (const folder of this.folders.values()) if (!folder.isEmpty()) return false
    const { entries, skipped } = parseTree(this.bytes())
    return skipped.length === 0 && entries.every(({ name, mode }) => this.#isGone(name, mode))
  }

  /** Whether the tree has more entries than that. Does not parse a large one for it. */
  #mustHaveMore(entries: number): boolean {
    if (this.bytes().length > MAX_ENTRY_BYTES * entries) return true
    if (this.#count === undefined) {
      const parsed = parseTree(this.bytes())
      this.#count = parsed.entries.length + parsed.skipped.length
    }
    return this.#count > entries
  }

  #isGone(name: string, mode: number): boolean {
    const folder = mode === MODE_TREE ? this.folders.get(name) : undefined
    return folder === undefined ? this.edits.get(name) === null : folder.isEmpty()
  }
}
