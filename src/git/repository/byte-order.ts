// The order in which git has names.

/** The order of the texts' bytes, in which git has names. Code units have it but for those of pairs, which come last. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (x !== y) return isOfPair(x) === isOfPair(y) ? x - y : isOfPair(x) ? 1 : -1
  }
  return a.length - b.length
}

function isOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
