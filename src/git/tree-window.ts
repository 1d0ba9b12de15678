// Where two versions of a tree differ, as runs of whole entries: a publish changes one entry of a folder that may
// have 100,000, and what is equal before and after it is compared as memory, not parsed.

const SPACE = 0x20
const OID_BYTES = 20
const BLOCK = 4096

/** The differing parts of both, from and to the start of an entry. */
export function differingWindows(a: Buffer, b: Buffer): [Buffer, Buffer] {
  const start = entryStartAtOrBefore(a, 0, commonPrefix(a, b))
  const suffix = commonSuffix(a, b, start)
  const endA = entryStartAtOrAfter(a, start, a.length - suffix)
  const endB = b.length - (a.length - endA)
  // The suffix counts only where an entry of the other tree starts there too.
  if (entryStartAtOrAfter(b, start, endB) !== endB) return [a.subarray(start), b.subarray(start)]
  return [a.subarray(start, endA), b.subarray(start, endB)]
}

function commonPrefix(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at + BLOCK <= most && a.compare(b, at, at + BLOCK, at, at + BLOCK) === 0) at += BLOCK
  while (at < most && a[at] === b[at]) at++
  return at
}

/** Never reaches back over `floor`. */
function commonSuffix(a: Buffer, b: Buffer, floor: number): number {
  const most = Math.min(a.length, b.length) - floor
  let length = 0
  while (length + BLOCK <= most) {
    const [endA, endB] = [a.length - length, b.length - length]
    if (a.compare(b, endB - BLOCK, endB, endA - BLOCK, endA) !== 0) break
    length += BLOCK
  }
  while (length < most && a[a.length - length - 1] === b[b.length - length - 1]) length++
  return length
}

/** The start of the entry that holds the byte at `position`; `from` is the start of an entry. */
function entryStartAtOrBefore(bytes: Buffer, from: number, position: number): number {
  let start = from
  for (let end = entryEnd(bytes, start); end <= position; end = entryEnd(bytes, start)) {
    if (end > bytes.length) break
    start = end
  }
  return start
}

function entryStartAtOrAfter(bytes: Buffer, from: number, position: number): number {
  let start = from
  while (start < position && start < bytes.length) start = entryEnd(bytes, start)
  return Math.min(start, bytes.length)
}

/** Past the end of the bytes for the last entry of a tree that is cut short; the parser names that. */
function entryEnd(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== SPACE) at++
  while (at < bytes.length && bytes[at] !== 0) at++
  return at + 1 + OID_BYTES
}
