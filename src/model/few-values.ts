// Decides how thoroughly an input may be checked: naming every fault in very many values takes too long.

/** Most values of an input whose faults are all named; with more, checks stop at the first fault. */
const MAX_VALUES = 1000

/** Whether arrays and objects hold at most 1,000 values, at all levels together. Looks at no more than these. */
export function hasFewValues(value: unknown): boolean {
  let seen = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const name in next) {
      if (++seen > MAX_VALUES) return false
      waiting.push((next as Record<string, unknown>)[name])
    }
  }
  return true
}
