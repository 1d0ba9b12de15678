// Reads the entries of trees as git takes them: with any name and any mode.

import { differingEntries } from '../../../git/objects/differing-entries.js'
import type { TreeReader } from '../../../git/objects/diff.js'
import type { Oid } from '../../../git/objects/oid.js'
import { spanAt } from '../../../git/objects/tree-span.js'

export interface RawEntry {
  kind: 'tree' | 'blob' | 'commit'
  mode: number
  name: Buffer
  oid: Oid
}

/** An entry that one tree has and another has not, as it is, in the same folder. */
export interface NewEntry extends RawEntry {
  /** The path of its folder with a slash at the end; empty for the root. */
  folder: string
}

/** The bits of a mode that tell the kind of an entry (inode(7)). git takes any other kind for a commit of a submodule. */
const KIND = 0o170000
const TREE = 0o040000
const FILE = 0o100000
const LINK = 0o120000
const OID_BYTES = 20
const NOTHING = Buffer.alloc(0)

/** Throws ObjectCorrupt if bytes are cut short. */
export function* entriesOf(tree: Buffer): Generator<RawEntry> {
  for (let span = spanAt(tree, 0); span !== undefined; span = spanAt(tree, span.end)) {
    const { start, nameStart, nameEnd } = span
    const mode = Number.parseInt(tree.toString('latin1', start, nameStart - 1), 8)
    const oid = tree.toString('hex', nameEnd + 1, nameEnd + 1 + OID_BYTES)
    yield { kind: kindOf(mode), mode, name: tree.subarray(nameStart, nameEnd), oid }
  }
}

function kindOf(mode: number): RawEntry['kind'] {
  const bits = mode & KIND
  if (bits === TREE) return 'tree'
  return bits === FILE || bits === LINK ? 'blob' : 'commit'
}

/** Two versions of a folder. */
interface Folder {
  path: string
  before: Oid | undefined
  after: Oid
}

/**
 * Yields the entries of `after` that `before` has not, folders among them and then what is in them. `enters` is asked before each folder;
 * the root is always read. Without a bound of its own: a small tree can name the same folder again and again.
 */
export function* newEntries(
  trees: TreeReader,
  before: Oid | undefined,
  after: Oid,
  enters: (tree: Oid, path: string) => boolean,
): Generator<NewEntry> {
  const folders: Folder[] = [{ path: '', before, after }]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { path } = folder
    const old = folder.before === undefined ? NOTHING : trees.readTree(folder.before)
    const [was, is] = differingEntries(old, trees.readTree(folder.after))
    const foldersBefore = treesByName(was)
    for (const entry of entriesOf(is)) {
      yield { ...entry, folder: path }
      if (entry.kind !== 'tree') continue
      const below = `${path}${entry.name.toString()}/`
      const same = foldersBefore.get(entry.name.toString('latin1'))
      if (enters(entry.oid, below)) folders.push({ path: below, before: same, after: entry.oid })
    }
  }
}

function treesByName(tree: Buffer): Map<string, Oid> {
  const trees = new Map<string, Oid>()
  for (const { kind, name, oid } of entriesOf(tree)) if (kind === 'tree') trees.set(name.toString('latin1'), oid)
  return trees
}
