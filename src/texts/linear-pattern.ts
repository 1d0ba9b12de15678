// Compiles patterns of strangers, from record schemas and edits. They run on an engine whose time is linear in the text (RE2), never on the
// language's own, where `^(a+)+$` takes practically for ever.

import { RE2JS } from 're2js'

// RE2JS silently reads `\k<` as plain letters. It reports everything else that it does not support.
const NAMED_BACK_REFERENCE = /(?:^|[^\\])(?:\\\\)*\\k</

export class PatternRefused extends Error {
  readonly source: string

  constructor(source: string, cause: unknown) {
    super('not a pattern that runs in linear time', { cause })
    this.source = source
  }
}

/** Throws `PatternRefused` unless the source is a pattern in both languages: ECMA-262 with the `u` flag, as JSON Schema says, and RE2. */
export function compilePattern(source: string, flags = 0): RE2JS {
  try {
    // Making it costs little and runs nothing; it keeps out syntax of RE2 alone, such as `\A` and `(?i)`.
    void new RegExp(source, 'u')
    if (NAMED_BACK_REFERENCE.test(source)) throw new SyntaxError('back-reference')
    return RE2JS.compile(RE2JS.translateRegExp(source), flags)
  } catch (error) {
    throw new PatternRefused(source, error)
  }
}

/** Whether a text has the JSON Schema format `regex`, as far as we can run it. */
export function isPattern(source: string): boolean {
  try {
    compilePattern(source)
    return true
  } catch {
    return false
  }
}
