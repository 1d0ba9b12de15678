// Finds the parts of a tree's bytes that can hold given names. A tree of 100,000 entries is walked once; later look-ups
// use the order of its names.

import { compareKey, endAt, spanAt } from './tree-span.js'

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

/** Starts of the marked entries of a tree, kept by its bytes, which never change; empty if the entries are out of order. */
const known = new WeakMap<Buffer, Uint32Array>()

/**
 * Returns the windows in which the names stand, or would, as files or as folders: ascending, without overlap. The order within a
 * large tree is trusted, as git's own look-ups do, if the marked entries are in order; git fsck reports any other.
 */
export function windowsOf(bytes: Buffer, names: readonly Buffer[]): Window[] {
  const whole = [{ start: 0, end: bytes.length }]
  if (bytes.length < LARGE_TREE_BYTES) return whole
  const marks = marksOf(bytes)
  if (marks.length === 0) return whole
  const numbers = new Set(
    names.flatMap((name) => [name, Buffer.concat([name, SLASH])].map((key) => before(bytes, marks, key))),
  )
  return [...numbers]
    .toSorted((a, b) => a - b)
    .map((number) => ({ start: marks[number] ?? 0, end: marks[number + 1] ?? bytes.length }))
}

function marksOf(bytes: Buffer): Uint32Array {
  const marks = known.get(bytes) ?? mark(bytes)
  known.set(bytes, marks)
  return marks
}

function mark(bytes: Buffer): Uint32Array {
  const starts: number[] = []
  for (let start = 0; start < bytes.length; start = afterStride(bytes, start)) {
    const last = starts.at(-1)
    if (last !== undefined && !isBefore(bytes, last, start)) return Uint32Array.of()
    starts.push(start)
  }
  return Uint32Array.from(starts)
}

function afterStride(bytes: Buffer, start: number): number {
  let at = start
  for (let entries = 0; entries < STRIDE && at < bytes.length; entries++) at = endAt(bytes, at)
  return at
}

/** Compares without the slash added to a folder's name. The slash matters only for names that begin alike, and those are close. */
function isBefore(bytes: Buffer, one: number, other: number): boolean {
  const [span, next] = [spanAt(bytes, one), spanAt(bytes, other)]
  return (
    span !== undefined &&
    next !== undefined &&
    compareKey(bytes.subarray(span.nameStart, span.nameEnd), bytes, next) < 0
  )
}

/** Returns the number of the last mark that is not after the key; 0 if all are. */
function before(bytes: Buffer, marks: Uint32Array, key: Buffer): number {
  let low = 0
  let high = marks.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const span = spanAt(bytes, marks[middle] ?? 0)
    if (span === undefined || compareKey(key, bytes, span) < 0) high = middle - 1
    else low = middle
  }
  return low
}
