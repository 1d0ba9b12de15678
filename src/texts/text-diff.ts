// The difference of two texts by lines, as `diff -u` writes it, bounded in size and time.

import { formatPatch, type StructuredPatch, structuredPatch } from 'diff'

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

/** Of the processor. */
const MAX_MS = 150
/** Lines added and removed. */
const MAX_EDITS = 5_000

interface NamedText {
  name: string
  text: string
}

/** Undefined where the texts are too different to be compared. */
export function diffTexts(before: NamedText, after: NamedText): TextDiff | undefined {
  const patch = patchWithin(before, after, MAX_MS)
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

/** The library looks at the clock, and a busy machine may give this process little of its time: then it gets more. */
function patchWithin(before: NamedText, after: NamedText, clockMs: number): StructuredPatch | undefined {
  const [began, usedBefore] = [Date.now(), process.cpuUsage()]
  const options = { context: 3, timeout: clockMs, maxEditLength: MAX_EDITS }
  const patch = structuredPatch(before.name, after.name, before.text, after.text, undefined, undefined, options)
  const { user, system } = process.cpuUsage(usedBefore)
  const isStarved = Date.now() - began >= clockMs && (user + system) / 1000 < MAX_MS / 2
  return patch === undefined && isStarved ? patchWithin(before, after, 2 * clockMs) : patch
}
