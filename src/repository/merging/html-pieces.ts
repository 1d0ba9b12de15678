// Cuts HTML of long lines at its tags for a merge, and joins the pieces again. Every byte is one character here, so a cut and joined
// document has the same bytes in every encoding.

import { isSound } from './html-shape.js'
import type { Sides } from './merge-entries.js'
import { type HtmlReading, Pieces, readHtml } from './read-html.js'

/** A document with a longer line is cut. */
const LONG_LINE_BYTES = 500
/** A larger document is not cut: its pieces would take too much time and memory. */
const MAX_CUT_BYTES = 2 * 1024 * 1024
const LINE_FEED = 10
/** Begins a change of the character set in ISO-2022-JP, where `<` may be half of a letter. */
const ESCAPE = 0x1b

export interface CutHtml {
  /** The documents, with a number in place of each piece and one number a line. Equal pieces have equal numbers. */
  lines: Sides<string>
  /** Returns the document of merged lines; undefined if it does not parse to what was merged. */
  join: (lines: string) => Buffer | undefined
}

/** Returns undefined for documents whose lines are short, and for those that cannot be cut. */
export function cutHtml(versions: Sides<Buffer>): CutHtml | undefined {
  const documents = [versions.base, versions.ours, versions.theirs]
  if (!documents.some(hasLongLines) || !documents.every(canBeCut)) return undefined
  const all = new Pieces()
  const read = (bytes: Buffer) => readHtml(bytes.toString('latin1'), all)
  const sides = { base: read(versions.base), ours: read(versions.ours), theirs: read(versions.theirs) }
  const linesOf = ({ pieces }: HtmlReading) => pieces.map((number) => `${number}\n`).join('')
  const lines = { base: linesOf(sides.base), ours: linesOf(sides.ours), theirs: linesOf(sides.theirs) }
  const join = (merged: string) => {
    const pieces = merged.split('\n').slice(0, -1).map(Number)
    const html = joined(pieces, all)
    const isWhatWasMerged = isSound(readHtml(html, all), { pieces, all, sides })
    return isWhatWasMerged ? Buffer.from(html, 'latin1') : undefined
  }
  return { lines, join }
}

function joined(pieces: readonly number[], { known }: Pieces): string {
  return pieces.map((number) => known[number]?.slice(1) ?? '').join('')
}

/** Whether a line is long, or all of the document is one line. */
function hasLongLines(bytes: Buffer): boolean {
  let start = 0
  let longest = 0
  let count = 0
  while (start < bytes.length) {
    const found = bytes.indexOf(LINE_FEED, start)
    const end = found === -1 ? bytes.length : found
    longest = Math.max(longest, end - start)
    count += 1
    start = end + 1
  }
  return count === 1 || longest > LONG_LINE_BYTES
}

function canBeCut(bytes: Buffer): boolean {
  return bytes.length <= MAX_CUT_BYTES && !bytes.includes(ESCAPE)
}
