// A site's tree while a batch is built on it: edits are staged, then flushed into new tree objects.
// Only changed folders are rewritten, by splicing their bytes; nothing here touches the disk but reads.

import { LRUCache } from 'lru-cache'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { diffTrees } from '../../git/objects/diff.js'
import { type NewObject, newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import {
  findEntry,
  MODE_BLOB,
  MODE_TREE,
  parseTree,
  patchTree,
  type TreeEdit,
  type TreeEntry,
} from '../../git/objects/tree.js'
import { joinTreePath } from '../../git/objects/tree-path.js'
import { foldCase } from '../../model/paths/page-path.js'

/** The entry that a path will have; null removes it. */
type Edit = { mode: number; oid: Oid } | null

interface FoldedNames {
  tree: Oid
  names: Map<string, string>
}

const FOLDED_FOLDERS = 16
const TREE_CACHE_BYTES = 32 * 1024 * 1024

export class WorkingTree {
  #odb: ObjectReader
  #root: Oid
  #edits = new Map<string, Edit>()
  /** The paths that the edits remove. */
  #removed = new Set<string>()
  /** Names that staged files need, by folder and folded name. */
  #stagedNames = new Map<string, string>()
  #staged = new Map<Oid, NewObject>()
  /** Objects flushed in this batch, readable before their pack is on disk. */
  #flushed = new Map<Oid, NewObject>()
  #trees = new LRUCache<Oid, Buffer>({ maxSize: TREE_CACHE_BYTES, sizeCalculation: (bytes) => bytes.length + 64 })
  #folded = new LRUCache<string, FoldedNames>({ max: FOLDED_FOLDERS })

  constructor(odb: ObjectReader, root: Oid) {
    this.#odb = odb
    this.#root = root
  }

  /** The tree that the last flush left, without what is staged now. */
  get root(): Oid {
    return this.#root
  }

  /** The entry at `path`, staged edits included. */
  entry(path: string): TreeEntry | undefined {
    const edit = this.#edits.get(path)
    if (edit === null) return undefined
    if (edit !== undefined) return { ...edit, name: path.slice(path.lastIndexOf('/') + 1) }
    const found = this.#find(path)
    return found?.mode === MODE_TREE && this.#isEmptied(path, found.oid) ? undefined : found
  }

  readTree(oid: Oid): Buffer {
    const known = this.#trees.get(oid) ?? this.#flushed.get(oid)?.content
    if (known !== undefined) return known
    const bytes = this.#odb.readTree(oid)
    this.#trees.set(oid, bytes)
    return bytes
  }

  readBlob(oid: Oid): Buffer {
    return this.#staged.get(oid)?.content ?? this.#flushed.get(oid)?.content ?? this.#odb.readBlob(oid)
  }

  put(path: string, content: Uint8Array): Oid {
    const blob = newObject('blob', Buffer.from(content.buffer, content.byteOffset, content.byteLength))
    this.#staged.set(blob.oid, blob)
    this.putExisting(path, MODE_BLOB, blob.oid)
    return blob.oid
  }

  /** Stages an object that the repository already holds. */
  putExisting(path: string, mode: number, oid: Oid): void {
    this.#edits.set(path, { mode, oid })
    this.#removed.delete(path)
    for (const [folder, name] of stepsOf(path)) this.#stagedNames.set(`${folder}/${foldCase(name)}`, name)
  }

  /** Stages the removal of a file. */
  remove(path: string): void {
    this.#edits.set(path, null)
    this.#removed.add(path)
  }

  /** Forgets what is staged since the last flush. */
  discard(): void {
    this.#edits.clear()
    this.#removed.clear()
    this.#stagedNames.clear()
    this.#staged.clear()
  }

  get editedPaths(): string[] {
    return [...this.#edits.keys()]
  }

  /** The name in `folder` ('' is the root) that is not `name` but equal to it under case folding. */
  nameLike(folder: string, name: string): string | undefined {
    const folded = foldCase(name)
    const other = this.#stagedNames.get(`${folder}/${folded}`) ?? this.#foldedNames(folder).get(folded)
    if (other === name || other === undefined) return undefined
    return this.#removed.has(joinTreePath(folder, other)) ? undefined : other
  }

  /**
   * Writes the staged edits into tree objects. Returns every object that was made, the blobs first. Where a folder cannot be
   * read nothing stays staged: the next write would find its own edits there, or make those of a refused write.
   */
  flush(): NewObject[] {
    try {
      const made = [...this.#staged.values()]
      const root = this.#rewrite('', this.#root, groupByFolder(this.#edits), made)
      this.#root = root ?? made[made.push(newObject('tree', Buffer.alloc(0))) - 1]!.oid
      for (const object of made) this.#flushed.set(object.oid, object)
      return made
    } finally {
      this.discard()
    }
  }

  /** The batch is stored or dropped: its objects are read from the repository from now on. */
  settle(): void {
    for (const { oid, type, content } of this.#flushed.values()) if (type === 'tree') this.#trees.set(oid, content)
    this.#flushed.clear()
  }

  /** Whether everything in the folder is staged for removal. */
  #isEmptied(folder: string, tree: Oid): boolean {
    const isTouched = Array.from(this.#removed).some((path) => path.startsWith(`${folder}/`))
    if (!isTouched) return false
    for (const { path } of diffTrees(this, undefined, tree)) {
      if (!this.#removed.has(`${folder}/${path}`)) return false
    }
    return true
  }

  #find(path: string): TreeEntry | undefined {
    let tree = this.#root
    const names = path.split('/')
    for (const [depth, name] of names.entries()) {
      const entry = findEntry(this.readTree(tree), name)
      if (entry === undefined || depth === names.length - 1) return entry
      if (entry.mode !== MODE_TREE) return undefined
      tree = entry.oid
    }
    return undefined
  }

  #foldedNames(folder: string): Map<string, string> {
    const entry = folder === '' ? { oid: this.#root, mode: MODE_TREE } : this.#find(folder)
    if (entry?.mode !== MODE_TREE) return new Map()
    const known = this.#folded.get(folder)
    if (known?.tree === entry.oid) return known.names
    const names = new Map(parseTree(this.readTree(entry.oid)).entries.map(({ name }) => [foldCase(name), name]))
    this.#folded.set(folder, { tree: entry.oid, names })
    return names
  }

  /** The oid of the folder with `edits` applied; undefined when it would be empty. */
  #rewrite(folder: string, before: Oid | undefined, edits: FolderEdits, made: NewObject[]): Oid | undefined {
    const bytes = before === undefined ? Buffer.alloc(0) : this.readTree(before)
    const treeEdits: TreeEdit[] = []
    for (const [name, edit] of edits.files) treeEdits.push(edit === null ? { name, remove: true } : { name, ...edit })
    for (const [name, inner] of edits.folders) {
      const child = findEntry(bytes, name)
      const path = joinTreePath(folder, name)
      const oid = this.#rewrite(path, child?.mode === MODE_TREE ? child.oid : undefined, inner, made)
      treeEdits.push(oid === undefined ? { name, remove: true } : { name, mode: MODE_TREE, oid })
    }
    const after = patchTree(bytes, treeEdits)
    if (after.length === 0) return undefined
    const tree = newObject('tree', after, before)
    made.push(tree)
    this.#follow(folder, before, tree.oid, treeEdits)
    return tree.oid
  }

  /** Updates the folded names of a folder with its edits, so that a large folder is not parsed at each write. */
  #follow(folder: string, before: Oid | undefined, after: Oid, edits: TreeEdit[]): void {
    const known = this.#folded.peek(folder)
    if (known === undefined || known.tree !== before) return
    for (const edit of edits) if ('remove' in edit) known.names.delete(foldCase(edit.name))
    for (const edit of edits) if (!('remove' in edit)) known.names.set(foldCase(edit.name), edit.name)
    known.tree = after
  }
}

/** The names on the way to a file, each with the folder that it is in. */
function* stepsOf(path: string): Generator<[folder: string, name: string]> {
  for (let start = 0, end = 0; end < path.length; start = end + 1) {
    const slash = path.indexOf('/', start)
    end = slash < 0 ? path.length : slash
    yield [path.slice(0, Math.max(start - 1, 0)), path.slice(start, end)]
  }
}

interface FolderEdits {
  files: Map<string, Edit>
  folders: Map<string, FolderEdits>
}

function groupByFolder(edits: ReadonlyMap<string, Edit>): FolderEdits {
  const root: FolderEdits = { files: new Map(), folders: new Map() }
  for (const [path, edit] of edits) {
    const names = path.split('/')
    const last = names.pop() ?? ''
    let at = root
    for (const name of names) {
      let inner = at.folders.get(name)
      if (inner === undefined) at.folders.set(name, (inner = { files: new Map(), folders: new Map() }))
      at = inner
    }
    at.files.set(last, edit)
  }
  return root
}
