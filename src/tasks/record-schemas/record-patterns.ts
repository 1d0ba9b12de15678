// Patterns of record schemas, for Ajv.

import type { RegExpEngine } from 'ajv/dist/types/index.js'
import { compilePattern } from '../../texts/linear-pattern.js'

/** Ajv's `code.regExp`: for `pattern` and `patternProperties`. `code` is Ajv's name for it in stand-alone code, which we never make. */
export const linearPatterns: RegExpEngine = Object.assign((source: string) => compilePattern(source), {
  code: 'compilePattern',
})
