// Finds an entry in a tree's bytes, and compares entries by git's order, without making a string.

import { ObjectCorrupt } from './errors.js'

/** Offsets of an entry's parts. */
export interface Span {
  /** Start of the entry, which is its mode. */
  start: number
  nameStart: number
  /** Offset of the zero byte after the name. */
  nameEnd: number
  /** Start of the next entry. */
  end: number
}

const SPACE = 0x20
const SLASH_BYTE = 0x2f
const SLASH = Buffer.from([SLASH_BYTE])
/** The first byte of `40000`, which old tools wrote as `040000`: no other mode begins so. */
const FIRST_BYTE_OF_TREE_MODE = 0x34
const ZERO = 0x30
/** Length of `100644 `, with which nearly every entry begins. */
const FILE_MODE_BYTES = 7
const OID_BYTES = 20

/** Returns the entry that starts at `start`; undefined at the end of the tree. Throws ObjectCorrupt if its bytes are cut short. */
export function spanAt(bytes: Buffer, start: number): Span | undefined {
  if (start >= bytes.length) return undefined
  // A plain loop: names are short, and a call to indexOf for each costs more than it saves.
  let at = start
  while (at < bytes.length && bytes[at] !== SPACE) at++
  const nameStart = at + 1
  while (at < bytes.length && bytes[at] !== 0) at++
  return { start, nameStart, nameEnd: at, end: endBehind(bytes, start, at) }
}

/** Returns the `end` of the entry at `start`, faster for files; `start` itself at the end of the tree. */
export function endAt(bytes: Buffer, start: number): number {
  if (!startsAsFile(bytes, start)) return spanAt(bytes, start)?.end ?? start
  let at = start + FILE_MODE_BYTES
  while (at < bytes.length && bytes[at] !== 0) at++
  return endBehind(bytes, start, at)
}

function endBehind(bytes: Buffer, start: number, nameEnd: number): number {
  const end = nameEnd + 1 + OID_BYTES
  if (end > bytes.length) throw new ObjectCorrupt('a tree', `its entry at byte ${start} is cut short`)
  return end
}

/** Returns the bytes by which git orders entries: the name, followed by a slash for a folder. */
export function sortKeyAt(bytes: Buffer, { start, nameStart, nameEnd }: Span): Buffer {
  const name = bytes.subarray(nameStart, nameEnd)
  return isTreeAt(bytes, start) ? Buffer.concat([name, SLASH]) : name
}

function isTreeAt(bytes: Buffer, start: number): boolean {
  let at = start
  while (bytes[at] === ZERO) at++
  return bytes[at] === FIRST_BYTE_OF_TREE_MODE
}

/** Compares a sort key with an entry: negative if the key comes first. Does not build the entry's own key. */
export function compareKey(key: Buffer, bytes: Buffer, { start, nameStart, nameEnd }: Span): number {
  const length = nameEnd - nameStart
  const isTree = isTreeAt(bytes, start)
  if (!isTree || key.length <= length) return -bytes.compare(key, 0, key.length, nameStart, nameEnd)
  const order = -bytes.compare(key, 0, length, nameStart, nameEnd)
  if (order !== 0) return order
  return (key[length] ?? 0) - SLASH_BYTE || key.length - length - 1
}

/** Whether the bytes are `100644 `. Written out, since it runs for every entry. */
function startsAsFile(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === 0x31 &&
    bytes[at + 1] === 0x30 &&
    bytes[at + 2] === 0x30 &&
    bytes[at + 3] === 0x36 &&
    bytes[at + 4] === 0x34 &&
    bytes[at + 5] === 0x34 &&
    bytes[at + 6] === SPACE
  )
}
