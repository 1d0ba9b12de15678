// Where one entry lies in a tree's bytes, and how it is ordered; no string is made for it.

import { ObjectCorrupt } from './errors.js'

/** Offsets: of the mode, of the name, of the zero behind it, and of what follows the entry. */
export interface Span {
  start: number
  nameStart: number
  nameEnd: number
  end: number
}

export const SPACE = 0x20
const SLASH = 0x2f
/** Of `40000`: no other mode begins with a 4. */
const FIRST_BYTE_OF_TREE_MODE = 0x34
const OID_BYTES = 20

/** The entry that starts there, undefined at the end of the tree. Throws ObjectCorrupt on bytes cut short. */
export function spanAt(bytes: Buffer, start: number): Span | undefined {
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

/** The `end` of the entry that starts there; what nearly every entry begins with is passed over without a loop. */
export function endAt(bytes: Buffer, start: number): number {
  if (!startsAsFile(bytes, start)) return spanAt(bytes, start)?.end ?? start
  let at = start + 7
  while (at < bytes.length && bytes[at] !== 0) at++
  const end = at + 1 + OID_BYTES
  if (end > bytes.length) throw new ObjectCorrupt('a tree', `its entry at byte ${start} is cut short`)
  return end
}

/** The order of a key (a name, a folder's with a slash behind it) and of an entry's own, made without making the entry's. */
export function compareKey(key: Buffer, bytes: Buffer, { start, nameStart, nameEnd }: Span): number {
  const length = nameEnd - nameStart
  const isTree = bytes[start] === FIRST_BYTE_OF_TREE_MODE
  if (!isTree || key.length <= length) return -bytes.compare(key, 0, key.length, nameStart, nameEnd)
  const order = -bytes.compare(key, 0, length, nameStart, nameEnd)
  if (order !== 0) return order
  return key[length] === SLASH ? key.length - length - 1 : (key[length] ?? 0) - SLASH
}

/** `100644 ` */
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
