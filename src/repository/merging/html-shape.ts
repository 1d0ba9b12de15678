// Judges whether a merged document parses to what was merged.

import type { Sides } from './merge-entries.js'
import { type HtmlReading, type Pieces, TEXT } from './read-html.js'

/**
 * Whether the document reads to the tags and texts of its pieces. It may have no more faults than both sides explain. No element may lie
 * directly in one in which it lies on neither side.
 */
export function isSound(
  merged: HtmlReading,
  { pieces, all, sides }: { pieces: readonly number[]; all: Pieces; sides: Sides<HtmlReading> },
): boolean {
  return (
    isSameReading(merged.pieces, pieces, all) &&
    hasOnlyKnownFaults(merged, sides) &&
    hasOnlyKnownPairs(merged.pairs, sides)
  )
}

function isSameReading(read: readonly number[], merged: readonly number[], all: Pieces): boolean {
  if (isSameList(read, merged)) return true
  return isSameList(wholeTexts(read, all), wholeTexts(merged, all))
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at])
}

/** Joins neighbouring pieces of a text: a removed tag leaves two of them. */
function wholeTexts(pieces: readonly number[], { known }: Pieces): string[] {
  const parts: string[] = []
  for (const number of pieces) {
    const piece = known[number] ?? ''
    const last = parts.at(-1)
    if (last?.startsWith(TEXT) === true && piece.startsWith(TEXT)) parts[parts.length - 1] = last + piece.slice(1)
    else parts.push(piece)
  }
  return parts
}

/** Both sides may add faults, such as a list item without its end tag. */
function hasOnlyKnownFaults(merged: HtmlReading, { base, ours, theirs }: Sides<HtmlReading>): boolean {
  const count = (side: HtmlReading, fault: string) => side.faults.get(fault) ?? 0
  return [...merged.faults].every(([fault, found]) => {
    const [before, here, there] = [count(base, fault), count(ours, fault), count(theirs, fault)]
    return found <= Math.max(here, there, here + there - before)
  })
}

function hasOnlyKnownPairs(pairs: ReadonlySet<string>, { ours, theirs }: Sides<HtmlReading>): boolean {
  return [...pairs].every((pair) => ours.pairs.has(pair) || theirs.pairs.has(pair))
}
