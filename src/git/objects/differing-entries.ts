// The entries in which two versions of a tree differ: a publish changes a few of a folder that may have 100,000, and
// what is equal before and after it is compared as memory, not parsed.

import { commonPrefix } from './common-bytes.js'

const SPACE = 0x20
const FIRST_BYTE_OF_TREE_MODE = 0x34
const OID_BYTES = 20
const SLASH = Buffer.from('/')

/** The bytes of those entries, of each tree: what only one has, and what has another mode or oid in the other. */
export function differingEntries(a: Buffer, b: Buffer): [Buffer, Buffer] {
  const onlyA: Buffer[] = []
  const onlyB: Buffer[] = []
  let atA = 0
  let atB = 0
  while (atA < a.length && atB < b.length) {
    const skipped = wholeEntries(a, atA, commonPrefix(a, b, atA, atB))
    atA += skipped
    atB += skipped
    if (atA >= a.length || atB >= b.length) break
    const order = Buffer.compare(sortKey(a, atA), sortKey(b, atB))
    if (order <= 0) onlyA.push(a.subarray(atA, (atA = entryEnd(a, atA))))
    if (order >= 0) onlyB.push(b.subarray(atB, (atB = entryEnd(b, atB))))
  }
  return [Buffer.concat([...onlyA, a.subarray(atA)]), Buffer.concat([...onlyB, b.subarray(atB)])]
}

/** How many of the first `length` bytes after `from`, which is the start of an entry, are whole entries. */
function wholeEntries(bytes: Buffer, from: number, length: number): number {
  let end = from
  for (let next = entryEnd(bytes, end); next <= from + length; next = entryEnd(bytes, end)) end = next
  return end - from
}

/** Past the end of the bytes for an entry that is cut short; the parser names that. */
function entryEnd(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== SPACE) at++
  while (at < bytes.length && bytes[at] !== 0) at++
  return at + 1 + OID_BYTES
}

/** git's order: names as bytes, a folder's as if it ended in a slash. */
function sortKey(bytes: Buffer, start: number): Buffer {
  const name = bytes.subarray(bytes.indexOf(SPACE, start) + 1, bytes.indexOf(0, start))
  return bytes[start] === FIRST_BYTE_OF_TREE_MODE ? Buffer.concat([name, SLASH]) : name
}
