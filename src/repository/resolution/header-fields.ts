// Computes the fields that `_headers` adds to an answer.

import type { HeaderRule } from '../../model/rules/headers-file.js'
import { type Captures, encodeCaptured, rulePathOf } from '../../model/rules/path-pattern.js'

/** Limit for names and values on one answer; proxies refuse much more. Further fields are omitted. */
const MAX_FIELDS_BYTES = 8192

/** Fields with a single value: the last rule wins. */
const SINGLE = new Set(['content-type', 'content-disposition', 'x-frame-options'])

/** Returns the fields for a file with these paths (clean and literal): all matching rules in order, repeated names joined by a comma. */
export function fieldsFor(rules: readonly HeaderRule[], pathnames: readonly string[]): Record<string, string> {
  const fields = new Map<string, string>()
  for (const { rule, captures } of rulesFor(rules, pathnames)) apply(fields, rule, captures)
  return Object.fromEntries(bounded(fields))
}

/** Yields the rules that match one of the paths, in order. */
export function* rulesFor(
  rules: readonly HeaderRule[],
  pathnames: readonly string[],
): Generator<{ rule: HeaderRule; captures: Captures }> {
  if (rules.length === 0) return
  const paths = pathnames.map(rulePathOf)
  for (const rule of rules) {
    let captures: Captures | undefined
    for (const path of paths) captures ??= rule.for.match(path)
    if (captures !== undefined) yield { rule, captures }
  }
}

function apply(fields: Map<string, string>, rule: HeaderRule, captures: Captures): void {
  for (const { name, value } of rule.fields) {
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
