// Compares two texts by lines, as `diff -u` does, bounded in size and time.

import { formatPatch, type StructuredPatch, structuredPatch } from 'diff'

export interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  /** Lines, each with its mark: a space, `-`, `+`, or `\` for a missing line feed at the end. */
  lines: string[]
}

export interface TextDiff {
  /** Unified format with the names of both texts; without a hunk if they are equal. */
  unified: string
  hunks: Hunk[]
}

/** Milliseconds of CPU time. */
const MAX_MS = 150
/** Most lines added and removed. */
const MAX_EDITS = 5_000

interface NamedText {
  name: string
  text: string
}

/** Returns undefined if the texts are too different to be compared. */
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

/** Compares within a time. The library looks at the clock: if a busy machine gave this process little CPU time, it gets more. */
function patchWithin(before: NamedText, after: NamedText, clockMs: number): StructuredPatch | undefined {
  const [began, usedBefore] = [Date.now(), process.cpuUsage()]
  const options = { context: 3, timeout: clockMs, maxEditLength: MAX_EDITS }
  const patch = structuredPatch(before.name, after.name, before.text, after.text, undefined, undefined, options)
  const { user, system } = process.cpuUsage(usedBefore)
  const isStarved = Date.now() - began >= clockMs && (user + system) / 1000 < MAX_MS / 2
  return patch === undefined && isStarved ? patchWithin(before, after, 2 * clockMs) : patch
}
