// Tells whether a push plainly lacks no object and breaks no rule, as most do: some commits in a row that change some files. git's
// walk and the hook need forty programs for that. Nothing is refused here: if there is any doubt, they decide and give the reason, so
// that only one judge words refusals (docs/decisions/0035-plain-pushes.md).

import { differingEntries } from '../../git/objects/differing-entries.js'
import { ObjectCorrupt, ObjectMissing } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODE_BLOB, MODE_EXECUTABLE, MODE_TREE, parseTree, type TreeEntry } from '../../git/objects/tree.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { Limits } from '../../model/limits.js'
import { measureTree } from './measure-tree.js'

const MAX_COMMITS = 100
const MAX_CHANGED_ENTRIES = 10_000
/** Limits that do not exceed those of `pre-receive.sh`. */
const MAX_COMMIT_BYTES = 262_144
const MAX_METADATA_BYTES = 65_536
const MAX_ENTRIES = 500_000
const MAX_NAME_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 512
/** Root entries, also removed ones, that the hook judges: the first has the site's id; wrong lines in the others get warnings. */
const JUDGED_FILES = new Set(['.site.json', '_redirects', '_headers'])
const METADATA_FOLDERS = new Set(['.pages', 'collections'])
/** The start of a commit with one parent. git accepts no parent line further down. */
const COMMIT_START = /^tree ([0-9a-f]{40})\nparent ([0-9a-f]{40})\nauthor /
const COMMIT_START_BYTES = 128

/** The size limits of the API. */
export type PushedSizes = Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes'>

class Doubt extends Error {}

function sure(holds: boolean): void {
  if (!holds) throw new Doubt()
}

/**
 * Whether the push is plainly valid. `before` is main and lacks no object. git has checked each pushed object (`index-pack --strict`).
 */
export function isPlainPush(objects: ObjectReader, before: Oid, after: Oid, sizes: PushedSizes): boolean {
  try {
    const trees = treesBetween(objects, before, after)
    const walk = new Walk(objects, Math.min(sizes.maxHtmlBytes, sizes.maxFileBytes))
    for (let at = 1; at < trees.length; at++) walk.compare(trees[at], trees[at - 1])
    const { entries, nameBytes, depth } = measureTree(objects, trees[0] ?? '', MAX_ENTRIES, MAX_DEPTH)
    return entries <= MAX_ENTRIES && nameBytes <= MAX_NAME_BYTES && depth <= MAX_DEPTH
  } catch (error) {
    if (error instanceof Doubt || error instanceof ObjectMissing || error instanceof ObjectCorrupt) return false
    throw error
  }
}

/** Returns the trees of the commits from `after` back to `before`. Each commit must be the only parent of the next. */
function treesBetween(objects: ObjectReader, before: Oid, after: Oid): Oid[] {
  const trees: Oid[] = []
  for (let oid = after; oid !== before; ) {
    const { type, size } = objects.readHeader(oid)
    sure(trees.length < MAX_COMMITS && type === 'commit' && size <= MAX_COMMIT_BYTES)
    const start = objects.read(oid).content.toString('latin1', 0, COMMIT_START_BYTES)
    const [, tree = '', parent = ''] = COMMIT_START.exec(start) ?? []
    sure(tree !== '')
    trees.push(tree)
    oid = parent
  }
  return [...trees, objects.readCommit(before).tree]
}

/** Checks the entries that a tree has and the one before it has not: names, kinds, sizes, and whether the objects exist. */
class Walk {
  readonly #objects: ObjectReader
  readonly #maxFileBytes: number
  #seen = 0

  constructor(objects: ObjectReader, maxFileBytes: number) {
    this.#objects = objects
    this.#maxFileBytes = maxFileBytes
  }

  compare(before: Oid | undefined, after: Oid | undefined, path: readonly string[] = []): void {
    sure(path.length <= MAX_DEPTH)
    const [was, is] = differingEntries(this.#bytesOf(before), this.#bytesOf(after))
    const { entries, skipped } = parseTree(is)
    sure(skipped.length === 0 && (this.#seen += entries.length) <= MAX_CHANGED_ENTRIES)
    const old = new Map(parseTree(was).entries.map((entry) => [entry.name, entry]))
    if (path.length === 0) for (const { name } of [...old.values(), ...entries]) sure(!JUDGED_FILES.has(name))
    for (const entry of entries) {
      const folder = old.get(entry.name)
      if (entry.mode !== MODE_TREE) this.#look(entry, path)
      else this.compare(folder?.mode === MODE_TREE ? folder.oid : undefined, entry.oid, [...path, entry.name])
    }
  }

  #look({ mode, oid }: TreeEntry, path: readonly string[]): void {
    sure(mode === MODE_BLOB || mode === MODE_EXECUTABLE)
    const { type, size } = this.#objects.readHeader(oid)
    const maxBytes = METADATA_FOLDERS.has(path[0] ?? '') ? MAX_METADATA_BYTES : Infinity
    sure(type === 'blob' && size <= Math.min(maxBytes, this.#maxFileBytes))
  }

  #bytesOf(tree: Oid | undefined): Buffer {
    return tree === undefined ? Buffer.alloc(0) : this.#objects.readTree(tree)
  }
}
