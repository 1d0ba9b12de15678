// The words of a text in the full-text index and in searches. A word is a run of letters, marks and digits, in lower case
// and without the accents of Latin, Greek and Cyrillic letters. In scripts without spaces between words each character is a word: a
// search then finds its characters side by side, inside any sentence.

/** Longer words are cut, also the beginning of a word in a search. */
const MAX_WORD_CHARACTERS = 64
/** Further words of a search are ignored; FTS5 refuses expressions deeper than 256. */
const MAX_SEARCH_WORDS = 64
/** A beginning of one letter matches nearly every page, so it is searched for as a whole word. */
const MIN_PREFIX_CHARACTERS = 2

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*/gu
const UNSPACED_PARTS = new RegExp(`(${UNSPACED.source})`, 'u')
const IS_UNSPACED = new RegExp(UNSPACED.source, 'u')
const ACCENTS = /[\u0300-\u036f]/g

/** Returns the words, separated by one space. */
export function wordsOf(text: string): string {
  return wordsIn(text).join(' ')
}

/** Returns the form in which words are compared. It keeps the lines of the text. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFKC').toLowerCase()
}

export function wordsIn(text: string): string[] {
  const folded = foldText(text)
  const spaced = IS_UNSPACED.test(folded) ? folded.replaceAll(UNSPACED, ' $& ') : folded
  return (spaced.match(WORD) ?? []).map((word) => word.slice(0, MAX_WORD_CHARACTERS))
}

/** Yields the words as they are written, with their places in UTF-16 units. */
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

/** Whether a written word equals the wanted word, or begins with it if `isPrefix`. */
export function isSameWord(written: string, wanted: string, isPrefix: boolean): boolean {
  const word = foldText(written).slice(0, MAX_WORD_CHARACTERS)
  return isPrefix ? word.startsWith(wanted) : word === wanted
}

/** A search. The words of a term must stand side by side; the last word of the last term may be the beginning of a word. */
export interface Search {
  terms: readonly (readonly string[])[]
  isPrefix: boolean
}

/** Parses a search; undefined if `q` has no word. */
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

/** Returns an FTS5 query. Each term is a quoted string of letters and digits, so nothing in it is syntax (sqlite.org/fts5.html §3.1). */
export function toMatch({ terms, isPrefix }: Search): string {
  return terms.map((words) => `"${words.join(' ')}"`).join(' ') + (isPrefix ? ' *' : '')
}
