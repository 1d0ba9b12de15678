// The keywords `maxLength` and `minLength` of JSON Schema (Validation, §6.3.1 and §6.3.2), for Ajv. They count characters, not UTF-16 code
// units. Ajv's own look at each unit, which takes 50 ms for ten megabytes; these do so only if the number of units does not decide.

import { _, type Ajv2020, type KeywordCxt, str } from 'ajv/dist/2020.js'

type Keywords = Pick<Ajv2020, 'removeKeyword' | 'addKeyword'>

/** Replaces Ajv's own keywords. The faults are worded alike. */
export function addLengthKeywords<T extends Keywords>(ajv: T): T {
  add(ajv, 'maxLength', 'more', (limit, text) => !hasMore(text, limit))
  add(ajv, 'minLength', 'fewer', (limit, text) => hasMore(text, limit - 1))
  return ajv
}

function add(ajv: Keywords, keyword: string, comparison: string, fits: (limit: number, text: string) => boolean): void {
  ajv.removeKeyword(keyword).addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    // Lengths are checked before patterns, which may cost more and are for texts of a bounded length.
    before: 'pattern',
    errors: false,
    compile: (limit: number) => (text: string) => fits(limit, text),
    error: {
      message: ({ schemaCode }: Pick<KeywordCxt, 'schemaCode'>) =>
        str`must NOT have ${comparison} than ${schemaCode} characters`,
      params: ({ schemaCode }: Pick<KeywordCxt, 'schemaCode'>) => _`{limit: ${schemaCode}}`,
    },
  })
}

/** Whether the text has more than `count` characters. A character is one or two units. */
function hasMore(text: string, count: number): boolean {
  if (text.length <= count) return false
  if (text.length > 2 * count) return true
  let units = 0
  for (let characters = 0; characters <= count; characters++) {
    if (units >= text.length) return false
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  }
  return true
}
