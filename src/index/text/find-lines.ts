// Finds the lines of a text that match a search, and the places of the found words in them.

import { foldText, isSameWord, type Search, wordsWithPlaces } from './words.js'

/** One line, cut around the first found word. */
export interface FoundLine {
  /** Number of the line in the document, from 1. */
  line: number
  text: string
  /** Places of the found words in `text`: UTF-16 units; the end is past the last one. */
  ranges: [start: number, end: number][]
}

const MAX_LINES = 3
const MAX_LINE_CHARACTERS = 200
/** Number of characters shown before the first found word of a longer line. */
const LEAD_CHARACTERS = 60
/** Number of lines with one of the words that are looked at word by word. */
const MAX_CANDIDATES = 100
/** Only the beginning of a longer line is looked at. */
const MAX_LOOKED_AT_CHARACTERS = 400_000

interface Candidate {
  line: number
  text: string
  places: { start: number; end: number; word: number }[]
}

/**
 * Returns the lines with the most different words, in the order of the text. Words of one term count where they stand side by side; if they
 * do so only across lines, each counts alone.
 */
export function findLines(text: string, { terms, isPrefix }: Search): FoundLine[] {
  const prefix = isPrefix ? terms.at(-1)?.at(-1) : undefined
  const together = candidatesIn(text, terms, prefix)
  const candidates =
    together.length > 0
      ? together
      : candidatesIn(
          text,
          terms.flat().map((word) => [word]),
          prefix,
        )
  const count = ({ places }: Candidate) => new Set(places.map(({ word }) => word)).size
  return candidates
    .toSorted((a, b) => count(b) - count(a) || a.line - b.line)
    .slice(0, MAX_LINES)
    .toSorted((a, b) => a.line - b.line)
    .map(cut)
}

function candidatesIn(text: string, terms: readonly (readonly string[])[], prefix: string | undefined): Candidate[] {
  const lines = text.split('\n')
  const candidates: Candidate[] = []
  let looked = 0
  for (const [at, folded] of foldText(text).split('\n').entries()) {
    if (looked === MAX_CANDIDATES) break
    if (!terms.some((term) => term.every((word) => folded.includes(word)))) continue
    looked += 1
    const candidate = lookAt(at + 1, lines[at] ?? '', terms, prefix)
    if (candidate.places.length > 0) candidates.push(candidate)
  }
  return candidates
}

function lookAt(
  line: number,
  whole: string,
  terms: readonly (readonly string[])[],
  prefix: string | undefined,
): Candidate {
  const text = whole.slice(0, MAX_LOOKED_AT_CHARACTERS)
  const words = [...new Set(terms.flat())]
  const found = [...wordsWithPlaces(text)]
  const isAt = (at: number, wanted: string) =>
    found[at] !== undefined && isSameWord(found[at].text, wanted, wanted === prefix)
  /** Places by the word that is found there. */
  const places = new Map<number, Candidate['places'][number]>()
  for (const at of found.keys()) {
    for (const term of terms) {
      if (!term.every((wanted, next) => isAt(at + next, wanted))) continue
      for (const [next, wanted] of term.entries()) {
        const { start = 0, end = 0 } = found[at + next] ?? {}
        if (!places.has(at + next)) places.set(at + next, { start, end, word: words.indexOf(wanted) })
      }
    }
  }
  return { line, text, places: [...places.values()].toSorted((a, b) => a.start - b.start) }
}

function cut({ line, text, places }: Candidate): FoundLine {
  const first = places[0]?.start ?? 0
  const from = text.trimEnd().length <= MAX_LINE_CHARACTERS ? 0 : Math.max(0, first - LEAD_CHARACTERS)
  const shown = text.slice(from, from + MAX_LINE_CHARACTERS)
  const lead = shown.length - shown.trimStart().length
  const trimmed = shown.trim()
  const ranges = places
    .map(({ start, end }): [number, number] => [start - from - lead, end - from - lead])
    .filter(([start, end]) => start >= 0 && end <= trimmed.length)
  return { line, text: trimmed, ranges }
}
