// Trees as bytes: read without trusting any name, searched without parsing, patched by splicing.
// A tree is a run of `<mode in octal> <name>\0<20 bytes of oid>`, in git's order.

import { ObjectCorrupt } from './errors.js'
import { hashObject } from './object.js'
import type { Oid } from './oid.js'
import { refuseName } from './tree-entry-name.js'

export const MODE_BLOB = 0o100644
export const MODE_EXECUTABLE = 0o100755
export const MODE_TREE = 0o40000
export const MODE_SYMLINK = 0o120000
export const MODE_GITLINK = 0o160000

export const EMPTY_TREE: Oid = hashObject('tree', Buffer.alloc(0))

export interface TreeEntry {
  mode: number
  name: string
  oid: Oid
}

export interface SkippedEntry {
  /** The name as far as it can be shown. */
  name: string
  reason: string
}

export type TreeEdit = { name: string; mode: number; oid: Oid } | { name: string; remove: true }

/** Where one entry lies in a tree's bytes. */
interface Span {
  start: number
  nameStart: number
  nameEnd: number
  end: number
}

const SPACE = 0x20
const SLASH = 0x2f
/** Of `40000`: no other mode begins with a 4. */
const FIRST_BYTE_OF_TREE_MODE = 0x34
const OID_BYTES = 20

/** Every entry that can be trusted; a bad name costs its own entry alone. Throws ObjectCorrupt on bytes cut short. */
export function parseTree(bytes: Buffer): { entries: TreeEntry[]; skipped: SkippedEntry[] } {
  const entries: TreeEntry[] = []
  const skipped: SkippedEntry[] = []
  for (let span = spanAt(bytes, 0); span !== undefined; span = spanAt(bytes, span.end)) {
    const raw = bytes.subarray(span.nameStart, span.nameEnd)
    const name = raw.toString('utf8')
    const reason = refuseName(name, raw)
    if (reason === undefined) entries.push(readEntry(bytes, span, name))
    else skipped.push({ name, reason })
  }
  return { entries, skipped }
}

/** The entry with this name, found by looking at bytes alone: a tree may have 100,000 entries. */
export function findEntry(bytes: Buffer, name: string): TreeEntry | undefined {
  const wanted = Buffer.from(name, 'utf8')
  if (refuseName(name, wanted) !== undefined) return undefined
  const needle = Buffer.concat([Buffer.from([SPACE]), wanted, Buffer.from([0])])
  // The needle may also lie inside an oid, so a hit counts only where an entry starts: walk from a known start.
  if (!bytes.includes(needle)) return undefined
  for (let span = spanAt(bytes, 0); span !== undefined; span = spanAt(bytes, span.end)) {
    if (isNamed(bytes, span, wanted)) return readEntry(bytes, span, name)
  }
  return undefined
}

/** The bytes with the edits applied; all other entries stay as they are, byte for byte. Removing what is not there changes nothing. */
export function patchTree(bytes: Buffer, edits: readonly TreeEdit[]): Buffer {
  const names = new NameSet(edits.map(({ name }) => Buffer.from(name, 'utf8')))
  const added = edits
    .filter((edit): edit is TreeEntry => !('remove' in edit))
    .map((entry) => ({ key: sortKey(entry), bytes: encodeEntry(entry) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
  const pieces: Buffer[] = []
  let kept = 0
  let next = 0
  for (let span = spanAt(bytes, 0); span !== undefined; span = spanAt(bytes, span.end)) {
    let insert = added[next]
    while (insert !== undefined && compareKey(insert.key, bytes, span) < 0) {
      pieces.push(bytes.subarray(kept, span.start), insert.bytes)
      kept = span.start
      insert = added[++next]
    }
    if (names.hasNameOf(bytes, span)) {
      pieces.push(bytes.subarray(kept, span.start))
      kept = span.end
    }
  }
  return Buffer.concat([...pieces, bytes.subarray(kept), ...added.slice(next).map((entry) => entry.bytes)])
}

function spanAt(bytes: Buffer, start: number): Span | undefined {
  if (start >= bytes.length) return undefined
  // A plain loop: names are short, and a call to indexOf for each costs more than it saves.
  let at = start
  while (at < bytes.length && bytes[at] !== SPACE) at++
  const nameStart = at + 1
  while (at < bytes.length && bytes[at] !== 0) at++
  const end = at + 1 + OID_BYTES
  if (end > bytes.length) throw new ObjectCorrupt('a tree', `its entry at byte ${start} is cut short`)
  return { start, nameStart, nameEnd: at, end }
}

function isNamed(bytes: Buffer, span: Span, name: Buffer): boolean {
  return (
    span.nameEnd - span.nameStart === name.length &&
    bytes.compare(name, 0, name.length, span.nameStart, span.nameEnd) === 0
  )
}

function readEntry(bytes: Buffer, { start, nameStart, nameEnd, end }: Span, name: string): TreeEntry {
  const mode = Number.parseInt(bytes.toString('latin1', start, nameStart - 1), 8)
  return { mode, name, oid: bytes.toString('hex', nameEnd + 1, end) }
}

function encodeEntry({ mode, name, oid }: TreeEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode.toString(8)} ${name}\0`, 'utf8'), Buffer.from(oid, 'hex')])
}

/** git compares names as bytes, a folder's as if it ended in a slash. */
function sortKey({ name, mode }: TreeEntry): Buffer {
  return Buffer.from(mode === MODE_TREE ? `${name}/` : name, 'utf8')
}

/** The order of a key and of an entry's own, made without making the entry's. */
function compareKey(key: Buffer, bytes: Buffer, { start, nameStart, nameEnd }: Span): number {
  const length = nameEnd - nameStart
  const isTree = bytes[start] === FIRST_BYTE_OF_TREE_MODE
  if (!isTree || key.length <= length) return -bytes.compare(key, 0, key.length, nameStart, nameEnd)
  const order = -bytes.compare(key, 0, length, nameStart, nameEnd)
  if (order !== 0) return order
  return key[length] === SLASH ? key.length - length - 1 : (key[length] ?? 0) - SLASH
}

/** Names looked for in a tree's bytes; those few whose length is right are compared, and no string is made for the rest. */
class NameSet {
  readonly #byLength = new Map<number, Set<string>>()

  constructor(names: readonly Buffer[]) {
    for (const name of names) {
      const others = this.#byLength.get(name.length)
      if (others === undefined) this.#byLength.set(name.length, new Set([name.toString('latin1')]))
      else others.add(name.toString('latin1'))
    }
  }

  hasNameOf(bytes: Buffer, { nameStart, nameEnd }: Span): boolean {
    const names = this.#byLength.get(nameEnd - nameStart)
    return names !== undefined && names.has(bytes.toString('latin1', nameStart, nameEnd))
  }
}
