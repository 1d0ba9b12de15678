// Finds the entries in which two versions of a tree differ. A publish changes a few entries of a folder that may have 100,000. So the equal
// bytes around them are compared as memory, and not parsed.

import { commonPrefix } from './common-bytes.js'
import { compareKey, endAt, sortKeyAt, spanAt } from './tree-span.js'

/** Returns for each tree the bytes of entries that only it has, or that have another mode or oid in the other tree. */
export function differingEntries(a: Buffer, b: Buffer): [Buffer, Buffer] {
  const onlyA: Buffer[] = []
  const onlyB: Buffer[] = []
  let atA = 0
  let atB = 0
  for (;;) {
    const equal = endOfEntries(a, atA, atA + commonPrefix(a, b, atA, atB)) - atA
    const [spanA, spanB] = [spanAt(a, atA + equal), spanAt(b, atB + equal)]
    if (spanA === undefined || spanB === undefined) {
      return [Buffer.concat([...onlyA, a.subarray(atA + equal)]), Buffer.concat([...onlyB, b.subarray(atB + equal)])]
    }
    const order = compareKey(sortKeyAt(a, spanA), b, spanB)
    if (order <= 0) onlyA.push(a.subarray(spanA.start, spanA.end))
    if (order >= 0) onlyB.push(b.subarray(spanB.start, spanB.end))
    atA = order <= 0 ? spanA.end : spanA.start
    atB = order >= 0 ? spanB.end : spanB.start
  }
}

/** Returns the end of the last entry between `start`, the start of an entry, and `limit`. */
function endOfEntries(bytes: Buffer, start: number, limit: number): number {
  let end = start
  while (end < limit) {
    const next = endAt(bytes, end)
    if (next > limit) break
    end = next
  }
  return end
}
