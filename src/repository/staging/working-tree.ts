// A site's tree while a batch is built on it: edits are staged, then flushed into new tree objects. Only changed folders are
// rewritten, by splicing their bytes. The disk is only read.

import { LRUCache } from 'lru-cache'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { type NewObject, newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { findEntry, MODE_BLOB, MODE_TREE, patchTree, type TreeEdit, type TreeEntry } from '../../git/objects/tree.js'
import { type Edit, StagedFolder } from './staged-folder.js'

/** One name on the way to a file, starting at the root. */
export interface Step {
  /** The path down to this name. */
  path: string
  /** The entry at this path, staged edits included. */
  entry: TreeEntry | undefined
  /** The path of another name in the same folder that is equal under case folding. */
  like: string | undefined
  isLast: boolean
}

const TREE_CACHE_BYTES = 32 * 1024 * 1024
/** The limits for folders, and names in them, that are kept from one write to the next. */
const MAX_KEPT_FOLDERS = 4096
const MAX_KEPT_NAMES = 500_000

export class WorkingTree {
  #odb: ObjectReader
  #root: Oid
  #top: StagedFolder
  /** Folders with staged edits in them or below. */
  readonly #edited = new Set<StagedFolder>()
  /** The paths of the staged files. */
  readonly #paths = new Set<string>()
  #staged = new Map<Oid, NewObject>()
  /** Objects flushed in this batch, readable before their pack is on disk. */
  #flushed = new Map<Oid, NewObject>()
  #trees = new LRUCache<Oid, Buffer>({ maxSize: TREE_CACHE_BYTES, sizeCalculation: (bytes) => bytes.length + 64 })
  /** The old root while a whole new one is staged. */
  #replaced: Oid | undefined
  #readTree = (oid: Oid) => this.readTree(oid)

  constructor(odb: ObjectReader, root: Oid) {
    this.#odb = odb
    this.#root = root
    this.#top = new StagedFolder(root, this.#readTree)
  }

  /** The tree after the last flush, without edits that are staged now. */
  get root(): Oid {
    return this.#root
  }

  /** Returns the entry at `path`, staged edits included. */
  entry(path: string): TreeEntry | undefined {
    const names = path.split('/')
    const last = names.pop() ?? ''
    let folder: StagedFolder | undefined = this.#top
    for (const name of names) folder = folder?.folder(name)
    return folder?.entry(last)
  }

  /** Returns the entry at `path` without staged edits. */
  flushedEntry(path: string): TreeEntry | undefined {
    let tree: TreeEntry | undefined = { name: '', mode: MODE_TREE, oid: this.#replaced ?? this.#root }
    for (const name of path.split('/')) {
      if (tree?.mode !== MODE_TREE) return undefined
      tree = findEntry(this.readTree(tree.oid), name)
    }
    return tree
  }

  /** Yields the names on the way to a file, as far as there are folders. */
  *along(path: string): Generator<Step> {
    let folder: StagedFolder | undefined = this.#top
    for (let start = 0, end = 0; folder !== undefined && end < path.length; start = end + 1) {
      const slash = path.indexOf('/', start)
      end = slash < 0 ? path.length : slash
      const name = path.slice(start, end)
      const like = folder.nameLike(name)
      yield {
        path: path.slice(0, end),
        entry: folder.entry(name),
        like: like === undefined ? undefined : path.slice(0, start) + like,
        isLast: slash < 0,
      }
      folder = folder.folder(name)
    }
  }

  readTree(oid: Oid): Buffer {
    const known = this.#trees.get(oid) ?? this.#flushed.get(oid)?.content
    if (known !== undefined) return known
    const bytes = this.#odb.readTree(oid)
    this.#trees.set(oid, bytes)
    return bytes
  }

  /** Returns undefined for a longer blob, without reading it. */
  readBlobWithin(oid: Oid, maxBytes: number): Buffer | undefined {
    const made = this.#staged.get(oid) ?? this.#flushed.get(oid)
    return made?.content ?? this.#odb.readBlobWithin(oid, maxBytes)
  }

  sizeOf(oid: Oid): number {
    return (this.#staged.get(oid) ?? this.#flushed.get(oid))?.content.length ?? this.#odb.readHeader(oid).size
  }

  /** Whether the blob has exactly these bytes. */
  hasBytes(oid: Oid, bytes: Uint8Array): boolean {
    return this.readBlobWithin(oid, bytes.byteLength)?.equals(bytes) === true
  }

  put(path: string, content: Uint8Array): Oid {
    const blob = newObject('blob', Buffer.from(content.buffer, content.byteOffset, content.byteLength))
    this.#staged.set(blob.oid, blob)
    this.putExisting(path, MODE_BLOB, blob.oid)
    return blob.oid
  }

  /** Stages an object that the repository already has. */
  putExisting(path: string, mode: number, oid: Oid): void {
    this.#stage(path, { mode, oid })
  }

  /** Stages the removal of a file. */
  remove(path: string): void {
    this.#stage(path, null)
  }

  /** Stages the removal of a folder as one entry. Nothing may be staged in it. */
  removeFolder(path: string): void {
    this.#stage(path, null).forget(path.slice(path.lastIndexOf('/') + 1))
  }

  /** Stages a whole tree as the new root, before any file is staged. */
  replaceRoot(root: Oid): void {
    this.#replaced = this.#root
    this.#root = root
    this.#top = new StagedFolder(root, this.#readTree)
  }

  /** Forgets the edits that are staged since the last flush. */
  discard(): void {
    if (this.#replaced !== undefined) {
      this.#root = this.#replaced
      this.#top = new StagedFolder(this.#root, this.#readTree)
      this.#replaced = undefined
    }
    for (const folder of this.#edited) folder.discard()
    this.#edited.clear()
    this.#paths.clear()
    this.#staged.clear()
  }

  /** The bytes of the staged contents. */
  get stagedBytes(): number {
    return Array.from(this.#staged.values()).reduce((sum, { content }) => sum + content.length, 0)
  }

  get editedPaths(): string[] {
    return [...this.#paths]
  }

  /**
   * Writes the staged edits into tree objects. Returns every new object, the blobs first. If a folder cannot be read, nothing stays staged.
   * Otherwise the next write would see its own edits there, or make those of a refused write.
   */
  flush(): NewObject[] {
    try {
      const made = [...this.#staged.values()]
      // A root that was only replaced as a whole has nothing to rewrite.
      const isEdited = this.#replaced === undefined || this.#paths.size > 0
      const root = isEdited ? this.#rewrite(this.#top, made) : this.#root
      this.#root = root ?? made[made.push(newObject('tree', Buffer.alloc(0))) - 1]!.oid
      this.#replaced = undefined
      for (const object of made) this.#flushed.set(object.oid, object)
      this.#top.oid = this.#root
      this.discard()
      return made
    } catch (error) {
      this.discard()
      this.#top = new StagedFolder(this.#root, this.#readTree)
      throw error
    }
  }

  /** Ends a batch that is stored or dropped: its objects are read from the repository from now on. */
  settle(): void {
    for (const { oid, type, content } of this.#flushed.values()) if (type === 'tree') this.#trees.set(oid, content)
    this.#flushed.clear()
    this.#forgetSome()
  }

  /** Stages an edit. Returns the folder of the entry. */
  #stage(path: string, edit: Edit): StagedFolder {
    this.#paths.add(path)
    const names = path.split('/')
    const last = names.pop() ?? ''
    let folder = this.#top
    this.#edited.add(folder)
    for (const name of names) {
      folder = folder.stageBelow(name, edit)
      this.#edited.add(folder)
    }
    folder.stage(last, edit)
    return folder
  }

  /** Returns the oid of the folder with its edits applied; undefined if it would be empty. */
  #rewrite(folder: StagedFolder, made: NewObject[]): Oid | undefined {
    const before = folder.oid
    const bytes = folder.bytes()
    const removed: string[] = []
    const put: TreeEntry[] = []
    for (const [name, edit] of folder.edits) {
      if (edit === null) removed.push(name)
      else put.push({ name, ...edit })
    }
    for (const [name, inner] of folder.folders) {
      if (!inner.isEdited) continue
      const oid = this.#rewrite(inner, made)
      if (oid === undefined) removed.push(name)
      else put.push({ name, mode: MODE_TREE, oid })
    }
    const edits: TreeEdit[] = [...removed.map((name): TreeEdit => ({ name, remove: true })), ...put]
    const after = patchTree(bytes, edits)
    const tree = after.length === 0 ? undefined : newObject('tree', after, before)
    if (tree !== undefined) made.push(tree)
    folder.becomes(
      tree?.oid,
      removed,
      put.map(({ name }) => name),
    )
    return tree?.oid
  }

  /** Forgets all read folders if they are too many: reading them again costs less than keeping all of a large site. */
  #forgetSome(): void {
    let folders = 0
    let names = 0
    const waiting = [this.#top]
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      folders++
      names += folder.size
      waiting.push(...folder.folders.values())
    }
    if (folders > MAX_KEPT_FOLDERS || names > MAX_KEPT_NAMES) this.#top = new StagedFolder(this.#root, this.#readTree)
  }
}
