// Finds the rule of `_redirects` for a request: the first match in the file. Rules for single paths are looked up;
// the others, at most 100, are tried in turn.

import { type Captures, type RulePath, rulePathOf } from '../../model/rules/path-pattern.js'
import type { RedirectRule } from '../../model/rules/redirects-file.js'

export interface MatchedRule {
  rule: RedirectRule
  captures: Captures
}

export class RedirectMatcher {
  readonly #fixed = new Map<string, RedirectRule[]>()
  readonly #dynamic: RedirectRule[] = []

  /** All rules, in the order of the file. */
  readonly all: readonly RedirectRule[]

  constructor(rules: readonly RedirectRule[]) {
    this.all = rules
    for (const rule of rules) {
      const { fixed } = rule.from
      if (fixed === undefined) this.#dynamic.push(rule)
      else if (!this.#fixed.has(fixed)) this.#fixed.set(fixed, [rule])
      else this.#fixed.get(fixed)!.push(rule)
    }
  }

  /** `query` without its question mark. */
  match(pathname: string, query: string): MatchedRule | undefined {
    if (this.#fixed.size === 0 && this.#dynamic.length === 0) return undefined
    const path = rulePathOf(pathname)
    const candidates = this.#fixed.get(path.text) ?? []
    const given = new GivenQuery(query)
    const first = firstMatch(candidates, path, given, Number.POSITIVE_INFINITY)
    return firstMatch(this.#dynamic, path, given, first?.rule.line ?? Number.POSITIVE_INFINITY) ?? first
  }
}

/** The query of a request. It is parsed for the first rule that asks for parameters. */
class GivenQuery {
  readonly #text: string
  #count: number | undefined
  #parsed: URLSearchParams | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Number of parameters. They are counted without parsing, since a query may have thousands. */
  get count(): number {
    return (this.#count ??= this.#text.split('&').filter((pair) => pair !== '').length)
  }

  get parameters(): URLSearchParams {
    return (this.#parsed ??= new URLSearchParams(this.#text))
  }
}

function firstMatch(
  rules: readonly RedirectRule[],
  path: RulePath,
  query: GivenQuery,
  before: number,
): MatchedRule | undefined {
  for (const rule of rules) {
    if (rule.line > before) return undefined
    const captures = rule.from.match(path)
    const all = captures && addQuery(rule, captures, query)
    if (all !== undefined) return { rule, captures: all }
  }
  return undefined
}

/** Returns the captures if the request has exactly the parameters of the rule, otherwise undefined. */
function addQuery({ query: wanted }: RedirectRule, captures: Captures, query: GivenQuery): Captures | undefined {
  if (wanted.size === 0) return captures
  if (query.count !== wanted.size) return undefined
  const given = query.parameters
  const all = new Map(captures)
  for (const [name, part] of wanted) {
    const value = given.get(name)
    if (value === null) return undefined
    if ('name' in part) all.set(part.name, value)
    else if (value !== part.text) return undefined
  }
  return all
}
