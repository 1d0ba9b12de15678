// Parts of a text: by lines, by characters (UTF-16 code units), or as much as fits into a number of bytes. No part begins or ends
// inside a code point or between CR and LF.

/** Counted from 1, both ends included; an empty part has `to` before `from`. */
export interface Range {
  from: number
  to: number
  total: number
}

export interface TextPart {
  text: string
  lines: Range
  characters: Range
}

/** `10-12`, or `10-` to the end, as lines or as characters; the whole text if neither is given. */
export interface PartWishes {
  lines?: string | undefined
  chars?: string | undefined
}

export function partOf(text: string, { lines, chars }: PartWishes): TextPart {
  const starts = lineStartsOf(text)
  const [start, end] =
    chars !== undefined
      ? spanOfCharacters(text, chars)
      : lines !== undefined
        ? spanOfLines(text, starts, lines)
        : [0, text.length]
  const [first, last] = [lineAt(starts, start), lineAt(starts, Math.max(start, end - 1))]
  return {
    text: text.slice(start, end),
    lines: { from: first, to: end > start ? last : first - 1, total: starts.length },
    characters: { from: start + 1, to: end, total: text.length },
  }
}

/**
 * Returns the end of the longest beginning of the text with at most `bytes` bytes of UTF-8. If a line ends in its second half, ends
 * after that line.
 */
export function fittingEnd(text: string, bytes: number): number {
  const { read } = new TextEncoder().encodeInto(text.slice(0, bytes), new Uint8Array(bytes))
  if (read === text.length) return read
  const afterLine = text.lastIndexOf('\n', read - 1) + 1
  return afterLine > read / 2 ? afterLine : Math.max(0, boundaryBefore(text, read))
}

/** Returns the text, or as much of its beginning as fits with an ellipsis. */
export function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return `${text.slice(0, fittingEnd(text, bytes - Buffer.byteLength(ELLIPSIS)))}${ELLIPSIS}`
}

const ELLIPSIS = '…'

/** Reads a range; `10-` ends at infinity. */
export function readRange(range: string): [from: number, to: number] {
  const [from = '', to = ''] = range.split('-')
  return [Number(from), to === '' ? Infinity : Number(to)]
}

/** Returns the offset of each line. A line feed at the end starts no further line. */
export function lineStartsOf(text: string): number[] {
  const starts = text === '' ? [] : [0]
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  return starts
}

/** Returns the number of the line with the offset, from 1. */
export function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(1, low)
}

function spanOfLines(text: string, starts: readonly number[], range: string): [start: number, end: number] {
  const [from, to] = readRange(range)
  const start = starts[from - 1] ?? text.length
  return [start, Math.max(start, starts[to] ?? text.length)]
}

/** Returns the offsets of a range of characters, widened if an end is inside a character. */
function spanOfCharacters(text: string, range: string): [start: number, end: number] {
  const [from, to] = readRange(range)
  const start = boundaryBefore(text, Math.min(from - 1, text.length))
  const end = Math.min(Math.max(start, to), text.length)
  return [start, boundaryBefore(text, end) === end ? end : end + 1]
}

/** Returns the offset, or the one before it inside a surrogate pair or CRLF. */
function boundaryBefore(text: string, offset: number): number {
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  const isPair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
  return isPair || (before === 0x0d && after === 0x0a) ? offset - 1 : offset
}
