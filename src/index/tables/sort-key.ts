// The forms of a text without case and accents: the key by which lists sort it, and the text in which `contains` looks. Each version of Node
// makes the same ones: no order of a language is asked for.

import { storable } from './sql.js'

/** Longer texts are sorted by their beginning, so that a cursor stays short. */
const MAX_KEY_CHARACTERS = 256

const PLAIN = /^[ -~]*$/
/** Marks that belong to no script, as accents do. Vowel signs, which order words in their scripts, have one. */
const ACCENTS = /(?=\p{M})\p{Script=Inherited}/gu

/**
 * Returns the key. Takes the first 256 characters (Unicode code points) apart (NFKD), removes accents, and makes upper and lower case one.
 * Upper case comes first on the way, as it makes `ss` of `ß`. Keys are compared by code point.
 */
export function sortKeyOf(text: string): string {
  const start = text.length <= MAX_KEY_CHARACTERS ? text : firstCharacters(text)
  if (PLAIN.test(start)) return start.toLowerCase()
  return firstCharacters(fold(start))
}

/** Returns the whole text, composed again: so no letter is found within another one, as in Hangul. */
export function foldedText(text: string): string {
  return PLAIN.test(text) ? text.toLowerCase() : fold(text).normalize('NFC').replaceAll('ς', 'σ')
}

function fold(text: string): string {
  const base = text
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
  return storable(base.toUpperCase().toLowerCase())
}

function firstCharacters(text: string): string {
  return Array.from(text.slice(0, 2 * MAX_KEY_CHARACTERS))
    .slice(0, MAX_KEY_CHARACTERS)
    .join('')
}
