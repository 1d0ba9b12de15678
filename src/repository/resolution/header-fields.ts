// Computes the fields that `_headers` adds to an answer.

import { extname } from 'node:path'
import type { HeaderRule } from '../../model/rules/headers-file.js'
import { pagePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { encodePath } from '../../model/paths/path-text.js'
import { type Captures, encodeCaptured, rulePathOf } from '../../model/rules/path-pattern.js'

/** Limit for names and values on one answer; proxies refuse much more. Further fields are omitted. */
const MAX_FIELDS_BYTES = 8192

/** Fields with a single value: the last rule wins. */
const SINGLE = new Set(['content-type', 'content-disposition', 'content-encoding', 'x-frame-options'])

/** Fields that are said of one file, and of no other that is shown in its place. */
const OF_FILE = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
  'pragma',
])

/** The ends of names that builds give to files which they have compressed: Unity's and Godot's among them. */
const PRECOMPRESSED = new Set(['.br', '.gz', '.unityweb'])

const CROSS_ORIGIN = /^(?:access-control-.*|timing-allow-origin|cross-origin-resource-policy)$/

/** The paths that rules are matched with. */
export interface AnswerPaths {
  /** All paths of the file, clean and literal. */
  own: readonly string[]
  /** The path that was asked for, if a rule shows the file in place. */
  asked?: string
}

/** Returns the fields of an answer: those of all matching rules in order, repeated names joined by a comma. */
export function fieldsFor(rules: readonly HeaderRule[], paths: AnswerPaths): Record<string, string> {
  const fields = new Map<string, string>()
  for (const matched of rulesFor(rules, paths)) apply(fields, matched)
  return Object.fromEntries(bounded(fields))
}

/** Whether the rules say that a page is in another encoding than UTF-8. */
export function haveOtherCharset(rules: readonly HeaderRule[], treePath: string): boolean {
  const page = pagePathOf(treePath)
  const own = [...(page === undefined ? [] : [urlPathOf(page)]), `/${encodePath(treePath)}`]
  const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(fieldsFor(rules, { own })['content-type'] ?? '') ?? []
  return charset !== undefined && !/^utf-?8$/i.test(charset)
}

/** Returns the fields without those by which caches would keep the answer for long. */
export function withoutCaching(fields: Readonly<Record<string, string>>): Record<string, string> {
  const { 'cache-control': _control, expires: _expires, pragma: _pragma, ...others } = fields
  return others
}

/** Returns the fields for the answer with this file: only a file that is compressed by its name has a coding of its own. */
export function asFieldsOf(treePath: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  if (PRECOMPRESSED.has(extname(treePath).toLowerCase())) return { ...fields }
  const { 'content-encoding': _coding, ...others } = fields
  return others
}

/** Returns the fields without which a browser hides an answer from pages of other origins: on redirects and preflights too (Fetch §4.4). */
export function crossOriginIn(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => CROSS_ORIGIN.test(name)))
}

interface MatchedHeaders {
  rule: HeaderRule
  captures: Captures
  /** Whether the rule matches a path of the file itself. */
  isOfFile: boolean
}

/** Yields the rules that match one of the paths, in order. */
export function* rulesFor(rules: readonly HeaderRule[], { own, asked }: AnswerPaths): Generator<MatchedHeaders> {
  if (rules.length === 0) return
  const paths = own.map(rulePathOf)
  const other = asked === undefined ? undefined : rulePathOf(asked)
  for (const rule of rules) {
    let captures: Captures | undefined
    for (const path of paths) captures ??= rule.for.match(path)
    if (captures !== undefined) yield { rule, captures, isOfFile: true }
    else if (other !== undefined && (captures = rule.for.match(other))) yield { rule, captures, isOfFile: false }
  }
}

function apply(fields: Map<string, string>, { rule, captures, isOfFile }: MatchedHeaders): void {
  for (const { name, value } of rule.fields) {
    if (!isOfFile && OF_FILE.has(name)) continue
    const known = fields.get(name)
    if (value === undefined) fields.delete(name)
    else if (known === undefined || SINGLE.has(name)) fields.set(name, fill(value, captures))
    else fields.set(name, `${known}, ${fill(value, captures)}`)
  }
}

/** Fills in placeholders. Captured text is percent-encoded, so that it cannot end a quoted string, a link or the field. */
function fill(value: string, captures: Captures): string {
  return value.replaceAll(/:([A-Za-z]\w*)/g, (whole, name: string) => {
    const text = captures.get(name)
    return text === undefined ? whole : encodeCaptured(text, encodeURI)
  })
}

function* bounded(fields: ReadonlyMap<string, string>): Generator<[string, string]> {
  let bytes = 0
  for (const [name, value] of fields) {
    bytes += name.length + value.length
    if (bytes > MAX_FIELDS_BYTES) return
    yield [name, value]
  }
}
