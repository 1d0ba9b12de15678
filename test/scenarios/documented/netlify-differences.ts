// Compares the answers of a site with those that Netlify's matcher would make of the same rules and files, and names the reason of each
// difference.

import { parseRedirects } from '../../../src/model/rules/redirects-file.js'
import { type ResolvableView, resolve } from '../../../src/repository/resolution/resolution.js'
import { ORIGIN } from '../../protocols/host/trees.js'
import type { TheirMatcher, TheirRule } from './netlify-matcher.js'

export interface RuledSite {
  /** The lines of `_redirects`. */
  lines: readonly string[]
  view: ResolvableView
  /** The same files without rules. */
  bare: ResolvableView
  match: TheirMatcher
}

export interface Difference {
  site: RuledSite
  target: string
  /** As in the rows of examples. */
  ours: string
  theirs: string
  /** Our rule; '' for none. */
  line: string
  /** Their rule. */
  rule: TheirRule | undefined
}

const MAX_REDIRECTS = 10
const STATUSES = [200, 301, 302, 303, 307, 308, 404, 410]

/** By the row of the table in docs/hosting.md that says so: the first that holds. */
const REASONS: Readonly<Record<string, (difference: Difference) => boolean>> = {
  'Netlify shows pages of other hosts in place, and asks for country, language, role and cookies': ({ rule }) =>
    rule !== undefined && !rule.to.startsWith('/') && !isRedirect(rule.status),
  'Netlify takes no rules for `/.netlify/`': ({ target }) => target.startsWith('/.netlify/'),
  'Netlify takes any status (`503!`)': ({ rule }) => rule !== undefined && !STATUSES.includes(rule.status),
  'Netlify takes all of `:name.html` as one placeholder': ({ rule }) => /:[A-Za-z]\w*[^\w/]/.test(rule?.from ?? ''),
  'Netlify takes `*` only as a whole segment, which may be missing': ({ line, rule }) =>
    /^\S*(?:\*[^/\s]|[^/]\*)/.test(line) || /\*\/./.test(rule?.from ?? ''),
  'Netlify skips a rule such as `/* /`': ({ rule, line }) => rule === undefined && /^(\/.*)\* \1(?: |$)/.test(line),
  'Netlify ignores words that it does not know': ({ rule, site }) => rule !== undefined && hasUnknownWords(rule, site),
  "Netlify's command line decodes paths first, ignores further parameters and follows loops": (difference) =>
    isByParameters(difference) || isLoop(difference) || isByEncoding(difference),
}

export function reasonOf(difference: Difference): string | undefined {
  return Object.entries(REASONS).find(([, holds]) => holds(difference))?.[0]
}

export const NETLIFY_REASONS: readonly string[] = Object.keys(REASONS)

export function compare(site: RuledSite, target: string): Difference | undefined {
  const { shown: ours, line } = answerOf(site.view, target)
  const rule = site.match(target)
  const theirs = theirAnswer(site, target, rule)
  if (sameFor(ours) === sameFor(theirs)) return undefined
  return { site, target, ours, theirs, rule, line: line === undefined ? '' : (site.lines[line - 1] ?? '') }
}

/** Parameters may be encoded in several ways. */
function sameFor(shown: string): string {
  const [status = '', place = ''] = shown.split(' ')
  if (!URL.canParse(place)) return shown
  const { origin, pathname, searchParams, hash } = new URL(place)
  return [status, origin, pathname, ...[...searchParams].flat(), hash].join(' ')
}

/** Takes Netlify's order: a forced rule, a file, a rule. Files are found as they are here. */
function theirAnswer({ bare }: RuledSite, target: string, rule: TheirRule | undefined): string {
  const { shown: found } = answerOf(bare, target)
  if (rule === undefined || (found !== '404' && !rule.force)) return found
  const to = new URL(rule.to, ORIGIN)
  if (to.search === '') to.search = new URL(target, ORIGIN).search
  if (isRedirect(rule.status) || to.origin !== ORIGIN) return `${rule.status} ${to.href}`
  return answerOf(bare, to.pathname).shown.replace('200', String(rule.status))
}

/** Returns the place of a redirect, or the file. A redirect to a file's own URL is followed. */
function answerOf(view: ResolvableView, target: string): { shown: string; line: number | undefined } {
  const first = resolve(view, target)
  const found = first.kind === 'redirect' && first.line === undefined ? resolve(view, first.location) : first
  const { line } = found
  if (found.kind === 'redirect') return { shown: `${found.status} ${new URL(found.location, ORIGIN).href}`, line }
  const isShown = found.kind === 'file' && (found.file.status !== 404 || line !== undefined)
  return { shown: isShown ? `${found.file.status} ${found.file.treePath}` : '404', line }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

function hasUnknownWords(rule: TheirRule, { lines }: RuledSite): boolean {
  const { wrong } = parseRedirects(Buffer.from(lines.join('\n')))
  return wrong.some(
    ({ line, message }) =>
      /has no meaning here|is not a query parameter/.test(message) && lines[line - 1]?.startsWith(`${rule.from} `),
  )
}

/** Whether their rule asks for fewer parameters than there are. */
function isByParameters({ rule, target, site }: Difference): boolean {
  const given = [...new URL(target, ORIGIN).searchParams].length
  const wanted = site.lines.flatMap((line) =>
    rule !== undefined && line.startsWith(`${rule.from} `) ? [line.match(/ [a-z]+=/g)?.length ?? 0] : [],
  )
  return wanted.some((count) => count > 0 && count < given)
}

function isLoop({ site, target }: Difference): boolean {
  let at = target
  for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
    const [status, place = ''] = theirAnswer(site, at, site.match(at)).split(' ')
    if (!isRedirect(Number(status)) || !place.startsWith(ORIGIN)) return false
    at = place.slice(ORIGIN.length)
  }
  return true
}

/** Whether our rule's path holds escapes, or there is no difference without escapes in the target. */
function isByEncoding({ site, target, line }: Difference): boolean {
  const plain = target.replaceAll('%2F', '-').replaceAll(/\+|%20|%26/g, '')
  return /^\S*%/.test(line) || compare(site, plain) === undefined
}
