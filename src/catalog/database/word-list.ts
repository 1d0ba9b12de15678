// Lists stored in one column: words separated by one space, as OAuth writes scopes (RFC 6749 §3.3).

import { isScope, type Scope } from '../../model/rights/scopes.js'

export function joinWords(words: readonly string[]): string
export function joinWords(words: readonly string[] | null): string | null
export function joinWords(words: readonly string[] | null): string | null {
  return words === null ? null : words.join(' ')
}

export function splitWords(text: string): string[]
export function splitWords(text: string | null): string[] | null
export function splitWords(text: string | null): string[] | null {
  if (text === null) return null
  return text === '' ? [] : text.split(' ')
}

/** Reads scopes. Unknown words, which a newer version may have written, grant nothing. */
export function splitScopes(text: string): Scope[] {
  return splitWords(text).filter(isScope)
}
