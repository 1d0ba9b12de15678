// Reads `_redirects`, in Netlify's syntax: `/from [name=value …] /to [status[!]]`, one rule per line; the first match wins.

import { type Part, type PathPattern, parsePathPattern, partOf } from './path-pattern.js'
import { LineRefused, MAX_WARNINGS, type ReadRules, readLines, type WrongLine } from './rules-file.js'

export const REDIRECTS_FILE = '_redirects'

export type RedirectStatus = 200 | 301 | 302 | 303 | 307 | 308 | 404 | 410

export interface RedirectRule {
  from: PathPattern
  /** Required query parameters by decoded name: a decoded value, or the placeholder (`:id`) that takes it. */
  query: ReadonlyMap<string, Part>
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

/** Conditions of Netlify's rules. */
const CONDITION = /^(?:country|language|role|cookie)=/i

export function parseRedirects(bytes: Buffer): ReadRules<RedirectRule> {
  const rules: RedirectRule[] = []
  const warnings: WrongLine[] = []
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
    const unknown = unknownPlaceholder(rule)
    if (unknown !== undefined && warnings.length < MAX_WARNINGS) {
      const message = `":${unknown}" is no placeholder of this rule, so it stays as it is. To fill it in, add it to the path or the query.`
      warnings.push({ line, message })
    }
  })
  return { rules, wrong, warnings }
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
  const { status, force } = parseStatus(to, options)
  checkDestination(to, status)
  return { from, query, to, status, force, line }
}

function parseQuery(words: readonly string[]): Map<string, Part> {
  return new Map(
    words.map((word) => {
      const [, name, value = ''] = /^([^=]+)=(.*)$/.exec(word) ?? []
      if (name === undefined)
        throw new LineRefused(`"${word}" is not a query parameter: write name=value or name=:name.`)
      const part = partOf(value)
      return [decodeParameter(name), 'name' in part ? part : { text: decodeParameter(value) }]
    }),
  )
}

/** Decodes a name or a value as those of a request are decoded. */
function decodeParameter(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
}

function parseStatus(to: string, [word, ...more]: readonly string[]): Pick<RedirectRule, 'status' | 'force'> {
  refuseConditions(to, [word ?? '', ...more])
  const [extra] = more
  if (extra !== undefined) throw new LineRefused(`"${extra}" has no meaning here: end the rule with its status.`)
  const [, digits = word === undefined ? '301' : '', mark] = /^(\d{3})(!)?$/.exec(word ?? '') ?? []
  if (!STATUSES.has(Number(digits))) {
    throw new LineRefused(
      `"${word}" is not a status that a rule can have: ${[...STATUSES].join(', ')}, with or without "!".`,
    )
  }
  return { status: Number(digits) as RedirectStatus, force: mark !== undefined }
}

/** Refuses `name=value` after the destination: a condition, or a query in the wrong place. */
function refuseConditions(to: string, options: readonly string[]): void {
  const pairs = options.filter((option) => option.includes('='))
  if (pairs.length === 0) return
  const condition = pairs.find((pair) => CONDITION.test(pair))
  if (condition !== undefined) {
    throw new LineRefused(
      `"${condition}" is a condition that has no meaning here: answers are the same for every visitor.`,
    )
  }
  const query = `${to.includes('?') ? '&' : '?'}${pairs.join('&')}`
  throw new LineRefused(`The destination's query is written ${to}${query}.`)
}

/** Returns the first name in the destination that looks like a placeholder, but the rule has none of that name. */
function unknownPlaceholder({ from, query, to }: RedirectRule): string | undefined {
  const parameters = [...query.values()].flatMap((part) => ('name' in part ? [part.name] : []))
  const names = new Set([...from.names, ...parameters])
  return [...to.matchAll(/(?<=[/=]):([A-Za-z]\w*)/g)].map(([, name = '']) => name).find((name) => !names.has(name))
}

function checkDestination(to: string, status: RedirectStatus): void {
  if (/^\/[/\\]/.test(to))
    throw new LineRefused(`"${to}" names another host without a scheme: write https:// before it.`)
  if (!to.startsWith('/')) {
    if (IN_PLACE.has(status)) throw new LineRefused('Pages of other hosts are not shown here: redirect with 302.')
    const [authority = ''] = to.slice(to.indexOf('//') + 2).split(/[/?#]/, 1)
    if (/[*@\\]|:[A-Za-z]/.test(authority)) throw new LineRefused('The host of a URL takes no placeholder, and no "@".')
    if (!URL.canParse(to)) throw new LineRefused(`"${to}" is not a URL.`)
  }
}
