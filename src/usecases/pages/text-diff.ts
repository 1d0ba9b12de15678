// The difference of two texts by lines, as `diff -u` writes it, within bounds of size, time and effort.

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
  /** Unified, with the names of both texts; without a hunk where they are equal. */
  unified: string
  hunks: Hunk[]
}

/** Characters of both texts together. */
const LONGEST = 4 * 1024 * 1024
/** Milliseconds: this thread serves nobody else meanwhile. */
const TIMEOUT = 150
/** Lines added and removed. */
const MOST_EDITS = 5_000

/** Undefined where the texts are too long or too different to be compared within the bounds. */
export function diffTexts(
  before: { name: string; text: string },
  after: { name: string; text: string },
): TextDiff | undefined {
  if (before.text.length + after.text.length > LONGEST) return undefined
  const options = { context: 3, timeout: TIMEOUT, maxEditLength: MOST_EDITS }
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
