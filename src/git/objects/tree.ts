// Trees as bytes: read without trusting any name, searched without parsing, patched by splicing.
// A tree is a run of `<mode in octal> <name>\0<20 bytes of oid>`, in git's order.

import { hashObject } from './object.js'
import type { Oid } from './oid.js'
import { refuseName } from './tree-entry-name.js'
import { compareKey, type Span, spanAt } from './tree-span.js'
import { type Window, windowsOf } from './tree-windows.js'

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
  /** The name, as far as it can be shown. */
  name: string
  reason: string
}

export type TreeEdit = { name: string; mode: number; oid: Oid } | { name: string; remove: true }

/** Larger trees are made in memory that threads share: the thread that serves them need not read them again. */
const SHARED_TREE_BYTES = 64 * 1024

/** Parses a tree. Entries with a bad name are skipped. Throws ObjectCorrupt if bytes are cut short. */
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

/** Yields the entries of `parseTree` one by one: reading 400,000 at once takes more than a second. Throws as it does. */
export function* eachEntry(bytes: Buffer): Generator<TreeEntry> {
  for (let span = spanAt(bytes, 0); span !== undefined; span = spanAt(bytes, span.end)) {
    const raw = bytes.subarray(span.nameStart, span.nameEnd)
    const name = raw.toString('utf8')
    if (refuseName(name, raw) === undefined) yield readEntry(bytes, span, name)
  }
}

/** Finds the entry with this name, by looking only at bytes: a tree may have 100,000 entries. */
export function findEntry(bytes: Buffer, name: string): TreeEntry | undefined {
  const wanted = Buffer.from(name, 'utf8')
  if (refuseName(name, wanted) !== undefined) return undefined
  for (const window of windowsOf(bytes, [wanted])) {
    const span = findSpan(bytes, wanted, window)
    if (span !== undefined) return readEntry(bytes, span, name)
  }
  return undefined
}

function findSpan(bytes: Buffer, name: Buffer, { start, end }: Window): Span | undefined {
  // The name may also occur inside an oid, so finding it proves nothing; not finding it does.
  if (!bytes.subarray(start, end).includes(name)) return undefined
  for (let span = spanAt(bytes, start); span !== undefined && span.start < end; span = spanAt(bytes, span.end)) {
    const { nameStart, nameEnd } = span
    if (nameEnd - nameStart === name.length && bytes.compare(name, 0, name.length, nameStart, nameEnd) === 0)
      return span
  }
  return undefined
}

/**
 * Returns the bytes with the edits applied; all other entries stay as they are, byte for byte. Removing a missing name
 * changes nothing.
 */
export function patchTree(bytes: Buffer, edits: readonly TreeEdit[]): Buffer {
  const named = edits.map(({ name }) => Buffer.from(name, 'utf8'))
  const names = new NameSet(named)
  const added = edits
    .filter((edit): edit is TreeEntry => !('remove' in edit))
    .map((entry) => ({ key: sortKey(entry), bytes: encodeEntry(entry) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
  const pieces: Buffer[] = []
  let kept = 0
  let next = 0
  const insertBefore = (span: Span) => {
    for (
      let insert = added[next];
      insert !== undefined && compareKey(insert.key, bytes, span) < 0;
      insert = added[++next]
    ) {
      pieces.push(bytes.subarray(kept, span.start), insert.bytes)
      kept = span.start
    }
  }
  for (const { start, end } of windowsOf(bytes, named)) {
    let span = spanAt(bytes, start)
    for (; span !== undefined && span.start < end; span = spanAt(bytes, span.end)) {
      insertBefore(span)
      if (!names.hasNameOf(bytes, span)) continue
      pieces.push(bytes.subarray(kept, span.start))
      kept = span.end
    }
    // An entry that belongs at the end of this window would not be met in the next one.
    if (span !== undefined) insertBefore(span)
  }
  return join([...pieces, bytes.subarray(kept), ...added.slice(next).map((entry) => entry.bytes)])
}

function join(pieces: readonly Buffer[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < SHARED_TREE_BYTES) return Buffer.concat(pieces)
  const joined = Buffer.from(new SharedArrayBuffer(length))
  let at = 0
  for (const piece of pieces) at += piece.copy(joined, at)
  return joined
}

function readEntry(bytes: Buffer, { start, nameStart, nameEnd, end }: Span, name: string): TreeEntry {
  const mode = Number.parseInt(bytes.toString('latin1', start, nameStart - 1), 8)
  return { mode, name, oid: bytes.toString('hex', nameEnd + 1, end) }
}

function encodeEntry({ mode, name, oid }: TreeEntry): Buffer {
  return Buffer.concat([Buffer.from(`${mode.toString(8)} ${name}\0`, 'utf8'), Buffer.from(oid, 'hex')])
}

/** Returns the key by which git orders entries: names are compared as bytes, a folder's as if it ended in a slash. */
function sortKey({ name, mode }: TreeEntry): Buffer {
  return Buffer.from(mode === MODE_TREE ? `${name}/` : name, 'utf8')
}

/** Names to look for in a tree's bytes. Only entries with a name of the right length are compared as strings. */
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
