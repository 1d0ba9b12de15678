// Refuses trees that are too large for a site, and names of files and folders that git or a file system could misread. A tree of a few
// kilobytes can name 10,000,000,000 files, so a repeated object counts each time.

import { isUtf8 } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import type { TreeReader } from '../../../git/objects/diff.js'
import type { Oid } from '../../../git/objects/oid.js'
import { refusal } from './push-messages.js'
import { entriesOf, type NewEntry } from './tree-entries.js'

/** Sizes of the output of `git ls-tree -r -t`, a path on each line. */
export interface TreeSize {
  entries: number
  pathBytes: number
  /** The longest path, in names. Infinite past `MAX_MEASURED_DEPTH`. */
  depth: number
}

const MAX_ENTRIES = 500_000
const MAX_PATH_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 512
/** Deeper folders are not read. */
const MAX_MEASURED_DEPTH = 1000
const NOTHING: TreeSize = { entries: 0, pathBytes: 0, depth: 0 }
const TOO_DEEP: TreeSize = { ...NOTHING, depth: Infinity }

const MAX_NAME_BYTES = 255
const MAX_SHOWN_BYTES = 80
const BACKSLASH = 0x5c
const DELETE = 0x7f
const FIRST_PRINTABLE = 0x20

/** Folders of any site that were measured before are not read again: a push changes few of them. */
const measured = new LRUCache<Oid, TreeSize>({ max: 50_000 })

/** Throws PushRefused for a tree that is too large for a site. */
export function checkTreeSize(trees: TreeReader, tree: Oid): void {
  const { entries, pathBytes, depth } = measureTree(trees, tree)
  if (entries > MAX_ENTRIES) throw refusal('the site would have more than 500,000 files and folders.')
  if (pathBytes > MAX_PATH_BYTES)
    throw refusal("the paths of the site's files and folders would have more than 64 MiB together. Shorten them.")
  if (depth > MAX_DEPTH) {
    const folders = depth === Infinity ? `more than ${MAX_MEASURED_DEPTH}` : depth
    throw refusal(`a file lies ${folders} folders deep: at most ${MAX_DEPTH} are accepted.`)
  }
}

/** Reads each folder once. */
export function measureTree(trees: TreeReader, tree: Oid, levels = MAX_MEASURED_DEPTH): TreeSize {
  const known = measured.get(tree)
  if (known !== undefined) return known
  if (levels === 0) return TOO_DEEP
  const size = { ...NOTHING }
  for (const { kind, name, oid } of entriesOf(trees.readTree(tree))) {
    const below = kind === 'tree' ? measureTree(trees, oid, levels - 1) : NOTHING
    // A tree that is too deep ends the measurement: it is not remembered.
    if (below.depth === Infinity) return TOO_DEEP
    size.entries += 1 + below.entries
    size.pathBytes += below.pathBytes + (1 + below.entries) * (name.length + 1)
    size.depth = Math.max(size.depth, below.depth + 1)
  }
  measured.set(tree, size)
  return size
}

/** Throws PushRefused for a name that is not accepted. */
export function checkName({ folder, name }: NewEntry): void {
  const reason = whyRefused(name)
  if (reason === undefined) return
  const [what, toDo] = reason
  throw refusal(`a file name ${what}: "${folder}${quoted(name)}". ${toDo} it.`)
}

function whyRefused(name: Buffer): [what: string, toDo: string] | undefined {
  if (name.some((byte) => byte < FIRST_PRINTABLE || byte === DELETE || byte === BACKSLASH))
    return ['holds a backslash or a control character', 'Rename']
  if (name.length > MAX_NAME_BYTES) return ['is longer than 255 bytes', 'Shorten']
  if (!isUtf8(name) || /\p{Cc}/u.test(name.toString())) return ['is not UTF-8, or holds a control character', 'Rename']
  return undefined
}

/** Escapes bytes as `git ls-files` does, so that the name can be found. A long one is cut. */
function quoted(name: Buffer): string {
  const shown = Array.from(name.subarray(0, MAX_SHOWN_BYTES), (byte) => {
    const isPlain = byte >= FIRST_PRINTABLE && byte < DELETE && byte !== BACKSLASH
    if (isPlain) return String.fromCharCode(byte)
    return byte === BACKSLASH ? '\\\\' : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return name.length > MAX_SHOWN_BYTES ? `${shown.join('')}…` : shown.join('')
}
