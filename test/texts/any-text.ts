// Texts of any characters, for property tests. fast-check's own unit "binary" fills a map of all 1.1 million characters before the
// first text, which takes over a second of processor time and 80 MB in each process of a test run.

import { nat, type StringConstraints, string } from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800
const CHARACTERS = 0x110000 - SURROGATES

const anyCharacter = nat({ max: CHARACTERS - 1 }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (text) => {
    if (typeof text !== 'string' || !/^\P{Surrogate}$/u.test(text)) throw new Error('not one character')
    const codePoint = text.codePointAt(0) ?? 0
    return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES
  },
)

/** Any text in Unicode, never with half of a surrogate pair. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  string({ ...constraints, unit: anyCharacter })
