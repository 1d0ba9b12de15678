// Reads `_headers`, as Netlify and Cloudflare do: a path on a line of its own, then indented fields, `Name: value`. `! Name` removes a
// field that earlier rules set.

import { assertAllowedField, contentCodingOf, strictTransportOf } from './allowed-field.js'
import { type PathPattern, parsePathPattern } from './path-pattern.js'
import { LineRefused, MAX_WARNINGS, type ReadRules, readLines, type WrongLine } from './rules-file.js'

export const HEADERS_FILE = '_headers'

export interface HeaderRule {
  for: PathPattern
  /** Line of its path. */
  line: number
  /** In order. */
  fields: RuleField[]
}

/** A field by its lower-case name. */
export interface RuleField {
  name: string
  /** Undefined for a field that is removed. */
  value: string | undefined
}

const MAX_RULES = 100
const MAX_LINE_CHARACTERS = 2000

export function parseHeaders(bytes: Buffer): ReadRules<HeaderRule> {
  const rules: HeaderRule[] = []
  const warnings: WrongLine[] = []
  /** The rule that indented lines belong to; undefined after a refused path. */
  let rule: HeaderRule | undefined
  let pathLine = 0
  const wrong = readLines(bytes, MAX_LINE_CHARACTERS, (text, line) => {
    if (/^\S/.test(text)) {
      rule = undefined
      pathLine = line
      const pattern = parsePathPattern(text.trim())
      if (rules.length === MAX_RULES)
        throw new LineRefused(`There are more than ${MAX_RULES} rules: join some of them.`)
      rule = { for: pattern, line, fields: [] }
      rules.push(rule)
    } else if (rule !== undefined) {
      const field = parseField(text.trim())
      if (field === undefined) return
      if (field.name === 'strict-transport-security' && field.value !== undefined) {
        const kept = strictTransportOf(field.value)
        const message = `Only "${kept}" is sent: a site speaks for its own host.`
        if (kept !== field.value && warnings.length < MAX_WARNINGS) warnings.push({ line, message })
        field.value = kept
      }
      rule.fields.push(field)
    } else if (pathLine === 0)
      throw new LineRefused('The field belongs to no path: write the path on a line before it.')
  })
  return { rules, wrong, warnings }
}

function parseField(text: string): RuleField | undefined {
  const [, removed] = /^!\s*(\S+)$/.exec(text) ?? []
  if (removed !== undefined) return { name: removed.toLowerCase(), value: undefined }
  const colon = text.indexOf(':')
  if (colon < 0) throw new LineRefused('A field is written "Name: value".')
  const name = text.slice(0, colon).trim().toLowerCase()
  const value = text.slice(colon + 1).trim()
  // Many files set this field, but every answer already has it.
  if (name === 'x-content-type-options' && value.toLowerCase() === 'nosniff') return undefined
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw new LineRefused(`"${name}" is not a field name.`)
  if (!/^[\t\x20-\x7e]+$/.test(value)) throw new LineRefused(`The value of ${name} must be ASCII text.`)
  assertAllowedField(name)
  return { name, value: name === 'content-encoding' ? contentCodingOf(value) : value }
}
