// The words of a text as the full-text index knows them, and searches for them. A word is a run of letters, marks and digits, in lower
// case and without the accents of Latin, Greek and Cyrillic letters. Scripts that put no space between words have each character as a
// word: what is searched for is then found wherever its characters stand side by side, inside any sentence.

/** Also the longest beginning of a word that is searched for. */
const MAX_WORD_CHARACTERS = 64
/** Further words of a search are not looked at; FTS5 refuses expressions deeper than 256. */
const MAX_SEARCH_WORDS = 64
/** A beginning of one letter is the beginning of nearly every page: it is searched for as a word. */
const MIN_PREFIX_CHARACTERS = 2

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*/gu
const UNSPACED_PARTS = new RegExp(`(${UNSPACED.source})`, 'u')
const IS_UNSPACED = new RegExp(UNSPACED.source, 'u')
const ACCENTS = /[\u0300-\u036f]/g

/** The words, with a space between two. */
export function wordsOf(text: string): string {
  return wordsIn(text).join(' ')
}

/** The form in which words are compared. It keeps the lines of the text. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFKC').toLowerCase()
}

export function wordsIn(text: string): string[] {
  const folded = foldText(text)
  const spaced = IS_UNSPACED.test(folded) ? folded.replaceAll(UNSPACED, ' $& ') : folded
  return (spaced.match(WORD) ?? []).map((word) => word.slice(0, MAX_WORD_CHARACTERS))
}

/** The words as they are written, and where: UTF-16 units. */
export function* wordsWithPlaces(text: string): Generator<{ text: string; start: number; end: number }> {
  for (const { 0: run, index: start } of text.matchAll(WORD)) {
    if (!IS_UNSPACED.test(run)) {
      yield { text: run, start, end: start + run.length }
      continue
    }
    let at = 0
    for (const part of run.split(UNSPACED_PARTS)) {
      if (part !== '') yield { text: part, start: start + at, end: start + at + part.length }
      at += part.length
    }
  }
}

/** Whether a word as it is written is the one that is searched for, or begins with it. */
export function isSameWord(written: string, wanted: string, isPrefix: boolean): boolean {
  const word = foldText(written).slice(0, MAX_WORD_CHARACTERS)
  return isPrefix ? word.startsWith(wanted) : word === wanted
}

/** A search: each term is words that must stand side by side; the last word of the last one may be the beginning of one. */
export interface Search {
  terms: readonly (readonly string[])[]
  isPrefix: boolean
}

/** Undefined where `q` holds no word. */
export function parseSearch(q: string): Search | undefined {
  const terms = q
    .split(/\s+/u)
    .map((term) => wordsIn(term))
    .filter((words) => words.length > 0)
    .slice(0, MAX_SEARCH_WORDS)
  const last = terms.at(-1)?.at(-1)
  if (last === undefined) return undefined
  return { terms, isPrefix: last.length >= MIN_PREFIX_CHARACTERS && !IS_UNSPACED.test(last) }
}

/** As an FTS5 query. Each term is a string of letters and digits alone, in quotes: nothing in it is syntax (sqlite.org/fts5.html §3.1). */
export function toMatch({ terms, isPrefix }: Search): string {
  return terms.map((words) => `"${words.join(' ')}"`).join(' ') + (isPrefix ? ' *' : '')
}
