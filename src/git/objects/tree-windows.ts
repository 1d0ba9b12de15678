// Which parts of a tree's bytes can hold given names. A tree of 100,000 entries is walked once, and then only where the
// order of its names says.

import { compareKey, endAt, type Span, spanAt } from './tree-span.js'

/** Whole entries, from the one that starts at `start` to the one that ends at `end`. */
export interface Window {
  start: number
  end: number
}

/** Smaller trees are one window: nothing depends on the order of their entries. */
const LARGE_TREE_BYTES = 64 * 1024
/** One entry in so many is marked. */
const STRIDE = 128
const SLASH = Buffer.from('/')

/** The marked entries of a tree, by its bytes, which never change; undefined where the entries are out of order. */
const known = new WeakMap<Buffer, readonly Span[] | undefined>()

/**
 * The windows in which the names stand, or would, as files or as folders: ascending, without overlap. The order within a
 * large tree is trusted as git's own look-ups trust it, where the marked entries keep it; git fsck names any other.
 */
export function windowsOf(bytes: Buffer, names: readonly Buffer[]): Window[] {
  const whole = [{ start: 0, end: bytes.length }]
  if (bytes.length < LARGE_TREE_BYTES) return whole
  const marks = marksOf(bytes)
  if (marks === undefined) return whole
  const numbers = new Set(
    names.flatMap((name) => [name, Buffer.concat([name, SLASH])].map((key) => before(bytes, marks, key))),
  )
  return [...numbers]
    .toSorted((a, b) => a - b)
    .map((number) => ({ start: marks[number]?.start ?? 0, end: marks[number + 1]?.start ?? bytes.length }))
}

function marksOf(bytes: Buffer): readonly Span[] | undefined {
  if (!known.has(bytes)) known.set(bytes, mark(bytes))
  return known.get(bytes)
}

function mark(bytes: Buffer): readonly Span[] | undefined {
  const marks: Span[] = []
  for (let span = spanAt(bytes, 0); span !== undefined; span = spanAt(bytes, afterStride(bytes, span.start))) {
    const last = marks.at(-1)
    if (last !== undefined && !isBefore(bytes, last, span)) return undefined
    marks.push(span)
  }
  return marks
}

function afterStride(bytes: Buffer, start: number): number {
  let at = start
  for (let entries = 0; entries < STRIDE && at < bytes.length; entries++) at = endAt(bytes, at)
  return at
}

/** Without the slash that a folder's name is compared with: that decides between names that begin alike, and they are near. */
function isBefore(bytes: Buffer, one: Span, other: Span): boolean {
  return compareKey(bytes.subarray(one.nameStart, one.nameEnd), bytes, other) < 0
}

/** The number of the last mark that is not behind the key; 0 where all are. */
function before(bytes: Buffer, marks: readonly Span[], key: Buffer): number {
  let low = 0
  let high = marks.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (compareKey(key, bytes, marks[middle]!) < 0) high = middle - 1
    else low = middle
  }
  return low
}
