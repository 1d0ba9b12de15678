// Reads the Range field of a request (RFC 9110 §14).

/** Bytes from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  start: number
  end: number
}

/** With more ranges than this, the whole representation is sent. */
const MAX_RANGES = 16
const RANGE = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * Returns the bytes to send out of `size`. Returns `whole` if the field is malformed, has another unit, or names ranges that do not join
 * into one. So no request makes the server send more than the representation. `unsatisfiable` means 416.
 */
export function selectSpan(field: string, size: number): Span | 'whole' | 'unsatisfiable' {
  const [, list] = /^bytes=(.*)$/i.exec(field) ?? []
  const items = list?.split(',').map((item) => item.replace(/^[ \t]+|[ \t]+$/g, ''))
  const ranges = items?.filter((item) => item !== '') ?? []
  if (ranges.length === 0 || ranges.length > MAX_RANGES) return 'whole'
  const spans: Span[] = []
  for (const range of ranges) {
    const span = readRange(range, size)
    if (span === undefined) return 'whole'
    if (span !== 'unsatisfiable') spans.push(span)
  }
  return spans.length === 0 ? 'unsatisfiable' : join(spans)
}

/** Returns undefined if the range is malformed. */
function readRange(range: string, size: number): Span | 'unsatisfiable' | undefined {
  const [, first, last, suffix] = RANGE.exec(range) ?? []
  if (suffix !== undefined) {
    return Number(suffix) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(suffix)), end: size }
  }
  if (first === undefined || (last && BigInt(last) < BigInt(first))) return undefined
  if (Number(first) >= size) return 'unsatisfiable'
  return { start: Number(first), end: last ? Math.min(size, Number(last) + 1) : size }
}

/** Joins spans that touch or overlap. Returns `whole` if a gap remains, and for zero bytes, which a 206 cannot express. */
function join(spans: readonly Span[]): Span | 'whole' {
  const [first, ...others] = spans.toSorted((a, b) => a.start - b.start)
  let { start, end } = first ?? { start: 0, end: 0 }
  for (const span of others) {
    if (span.start > end) return 'whole'
    end = Math.max(end, span.end)
  }
  return start === end ? 'whole' : { start, end }
}
