// The formats of record schemas (`email`, `date-time`, …): those of ajv-formats, made to run in linear time on any text.

import type { Format, FormatDefinition } from 'ajv/dist/core.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { RE2JS } from 're2js'
import { isPattern } from '../../texts/linear-pattern.js'

/** Longer texts are no duration, host name or URL. The expressions of these formats look ahead, which RE2 cannot. */
const MAX_LOOKED_AHEAD_CHARACTERS = 2_048

/** Makes Ajv's `formats`. Functions and types of ajv-formats are kept: they are linear, as measured with a megabyte of hostile text. */
export function makeLinearFormats(): Record<string, Format> {
  const linear: Record<string, Format> = {}
  for (const [name, format] of Object.entries(fullFormats)) linear[name] = makeLinear(format)
  linear['regex'] = isPattern
  return linear
}

function makeLinear(format: Format): Format {
  if (format instanceof RegExp) return makeLinearTest(format)
  if (typeof format === 'object' && 'validate' in format && format.validate instanceof RegExp) {
    return { ...format, validate: makeLinearTest(format.validate) } as FormatDefinition<string>
  }
  return format
}

function makeLinearTest(expression: RegExp): (text: string) => boolean {
  if (expression.source.includes('(?=') || expression.source.includes('(?!')) {
    return (text) => text.length <= MAX_LOOKED_AHEAD_CHARACTERS && expression.test(text)
  }
  let compiled: RE2JS | undefined
  return (text) => {
    compiled ??= RE2JS.compile(RE2JS.translateRegExp(expression))
    return compiled.test(text)
  }
}
