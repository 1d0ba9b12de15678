// The difference of two texts by lines, as `diff -u` writes it, bounded in size and time.

import { formatPatch, structuredPatch } from 'diff'

export interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  /** Each with its mark: a space, `-`, `+`, or `\` for a missing line feed at the end. */
  lines: string[]
}

export interface TextDiff {
  /** In unified format with the names of both texts; without a hunk where they are equal. */
  unified: string
  hunks: Hunk[]
}

const TIMEOUT_MS = 150
/** Lines added and removed. */
const MAX_EDITS = 5_000

/** Undefined where the texts are too different to be compared. */
export function diffTexts(
  before: { name: string; text: string },
  after: { name: string; text: string },
): TextDiff | undefined {
  const options = { context: 3, timeout: TIMEOUT_MS, maxEditLength: MAX_EDITS }
  const patch = structuredPatch(before.name, after.name, before.text, after.text, undefined, undefined, options)
  if (patch === undefined) return undefined
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines,
  }))
  const text = formatPatch(patch)
  return { unified: text.slice(text.indexOf('--- ')), hunks }
}
