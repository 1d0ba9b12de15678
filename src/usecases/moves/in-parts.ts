// Divides long lists into parts that tasks take one after the other.

/** Yields parts of the list, each of one item or of less than so many bytes and one item more. */
export function* inParts<T>(items: readonly T[], sizeOf: (item: T) => number, bytes: number): Generator<T[]> {
  let part: T[] = []
  let sum = 0
  for (const item of items) {
    part.push(item)
    sum += sizeOf(item)
    if (sum < bytes) continue
    yield part
    part = []
    sum = 0
  }
  if (part.length > 0) yield part
}
