// Compares two versions of the same bytes as memory, to find the part they share.

const BLOCK = 4096

/** Counts the equal bytes from `fromA` and `fromB` on. */
export function commonPrefix(a: Buffer, b: Buffer, fromA = 0, fromB = 0): number {
  const most = Math.min(a.length - fromA, b.length - fromB)
  let length = 0
  while (length + BLOCK <= most) {
    const [atA, atB] = [fromA + length, fromB + length]
    if (a.compare(b, atB, atB + BLOCK, atA, atA + BLOCK) !== 0) break
    length += BLOCK
  }
  while (length < most && a[fromA + length] === b[fromB + length]) length++
  return length
}
