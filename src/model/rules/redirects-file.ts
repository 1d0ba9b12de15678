// Reads `_redirects`, in Netlify's syntax: `/from [name=value …] /to [status[!]]`, one rule per line; the first match wins.

import { type PathPattern, parsePathPattern } from './path-pattern.js'
import { LineRefused, readLines, type WrongLine } from './rules-file.js'

export const REDIRECTS_FILE = '_redirects'

export type RedirectStatus = 200 | 301 | 302 | 303 | 307 | 308 | 404 | 410

export interface RedirectRule {
  from: PathPattern
  /** Required query parameters: a value, or the placeholder (`:id`) that takes it. */
  query: ReadonlyMap<string, string>
  /** A path of the site, or a whole URL. */
  to: string
  status: RedirectStatus
  /** Whether it applies even if a file of the site would answer. */
  force: boolean
  line: number
}

const MAX_STATIC_RULES = 2000
const MAX_DYNAMIC_RULES = 100
const MAX_LINE_CHARACTERS = 1000

const STATUSES: ReadonlySet<number> = new Set<RedirectStatus>([200, 301, 302, 303, 307, 308, 404, 410])
/** These show a page of the site in place, so there must be one to show. */
const IN_PLACE: ReadonlySet<number> = new Set<RedirectStatus>([200, 404, 410])

export function parseRedirects(bytes: Buffer): { rules: RedirectRule[]; wrong: WrongLine[] } {
  const rules: RedirectRule[] = []
  let dynamic = 0
  const wrong = readLines(bytes, MAX_LINE_CHARACTERS, (text, line) => {
    const rule = parseRule(text, line)
    const isDynamic = rule.from.fixed === undefined
    if (isDynamic && dynamic === MAX_DYNAMIC_RULES) {
      throw new LineRefused(`There are more than ${MAX_DYNAMIC_RULES} rules with "*" or ":name": join some of them.`)
    }
    if (!isDynamic && rules.length - dynamic === MAX_STATIC_RULES) {
      throw new LineRefused(
        `There are more than ${MAX_STATIC_RULES} rules for single paths: join some of them with "*".`,
      )
    }
    if (isDynamic) dynamic += 1
    rules.push(rule)
  })
  return { rules, wrong }
}

function parseRule(text: string, line: number): RedirectRule {
  const words = text.trim().split(/\s+/)
  const comment = words.findIndex((word) => word.startsWith('#'))
  const [source = '', ...rest] = comment < 0 ? words : words.slice(0, comment)
  const at = rest.findIndex((word) => /^(?:\/|https?:)/i.test(word))
  if (at < 0)
    throw new LineRefused('The destination is missing: write a path that begins with "/", or a URL, after the source.')
  const [to = '', ...options] = rest.slice(at)
  const from = parsePathPattern(source)
  const query = parseQuery(rest.slice(0, at))
  const { status, force } = parseStatus(options)
  checkDestination(to, status, new Set([...from.names, ...placeholdersOf(query)]))
  return { from, query, to, status, force, line }
}

function parseQuery(words: readonly string[]): Map<string, string> {
  return new Map(
    words.map((word) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(word) ?? []
      if (name === undefined)
        throw new LineRefused(`"${word}" is not a query parameter: write name=value or name=:name.`)
      return [name, value ?? '']
    }),
  )
}

function* placeholdersOf(query: ReadonlyMap<string, string>): Generator<string> {
  for (const value of query.values()) {
    if (/^:[A-Za-z]\w*$/.test(value)) yield value.slice(1)
  }
}

function parseStatus([word, ...more]: readonly string[]): Pick<RedirectRule, 'status' | 'force'> {
  const [extra = word?.includes('=') === true ? word : undefined] = more
  if (extra !== undefined) {
    throw new LineRefused(`"${extra}" is a condition that has no meaning here: answers are the same for every visitor.`)
  }
  const [, digits = word === undefined ? '301' : '', mark] = /^(\d{3})(!)?$/.exec(word ?? '') ?? []
  if (!STATUSES.has(Number(digits))) {
    throw new LineRefused(
      `"${word}" is not a status that a rule can have: ${[...STATUSES].join(', ')}, with or without "!".`,
    )
  }
  return { status: Number(digits) as RedirectStatus, force: mark !== undefined }
}

function checkDestination(to: string, status: RedirectStatus, names: ReadonlySet<string>): void {
  if (/^\/[/\\]/.test(to))
    throw new LineRefused(`"${to}" names another host without a scheme: write https:// before it.`)
  if (!to.startsWith('/')) {
    if (IN_PLACE.has(status)) throw new LineRefused('Pages of other hosts are not shown here: redirect with 302.')
    const [authority = ''] = to.slice(to.indexOf('//') + 2).split(/[/?#]/, 1)
    if (/[*@\\]|:[A-Za-z]/.test(authority)) throw new LineRefused('The host of a URL takes no placeholder, and no "@".')
    if (!URL.canParse(to)) throw new LineRefused(`"${to}" is not a URL.`)
  }
  for (const [, name = ''] of to.matchAll(/(?<=[/=]):([A-Za-z]\w*)/g)) {
    if (!names.has(name))
      throw new LineRefused(`":${name}" is no placeholder of this rule: add it to the path or the query.`)
  }
}
