// Git's order of names.

/** Compares texts by their bytes, as git does. Code units have that order, except surrogates, which come last. */
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
