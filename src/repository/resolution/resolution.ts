// Resolves a request for a path of a site to a file, a redirect, a generated file, or nothing. The order is Netlify's: a forced rule,
// a file, a rule, the site's not-found page; a former address comes after
// the rules.

import { pagePathOf } from '../../model/paths/page-path.js'
import { rulePathOf } from '../../model/rules/path-pattern.js'
import type { Snapshot } from '../reading/snapshot.js'
import { type File, findFile, findNotFoundPage } from './find-file.js'
import { type AnswerPaths, asFieldsOf, crossOriginIn, fieldsFor, withoutCaching } from './header-fields.js'
import { formerLead } from './former-lead.js'
import { locationOf, passOn, targetPathOf } from './redirect-location.js'
import type { MatchedRule } from './redirect-matcher.js'
import { generatedFileAt } from './generated-file.js'
import { placeInSite } from './own-place.js'
import { rulesOf, type SiteRules } from './site-rules.js'

/** Everything that an answer depends on, except the target. A site view is one. */
export interface ResolvableView {
  snapshot: Pick<Snapshot, 'siteId' | 'entry' | 'linkedEntry' | 'blob' | 'size' | 'nearestFile'>
  /** The site's own origin without a trailing slash: `https://demo.example.org`. Its previews and earlier versions have the same. */
  origin: string
  /** Whether the site generates a file of this name: robots.txt, sitemap.xml, llms.txt. */
  generates?: (name: string) => boolean
  /** Whether pages are also served as Markdown. */
  markdown?: boolean
  /** Whether visitors can search the site. */
  search?: boolean
  /** Whether a file, by the tree path of its content, is answered with 410. */
  isGone?: (treePath: string) => boolean
}

export interface FoundFile extends File {
  /** 200, 404 for the site's own not-found page, or the status of a rule. */
  status: number
  /** By lower-case name: the fields of `_headers`, and `link` with the canonical URL. */
  fields: Readonly<Record<string, string>>
  /** The paths that the rules of `_headers` are matched with. */
  paths: AnswerPaths
}

export type Resolution = Outcome & {
  /** The line of `_redirects` that decided. */
  line?: number
  /** Set if the redirects form a loop; this is then the answer without rules. */
  isLoop?: true
}

type Outcome =
  | { kind: 'file'; file: FoundFile }
  /** A page at the URL of its Markdown. */
  | { kind: 'markdown'; file: FoundFile }
  | { kind: 'redirect'; status: number; location: string; fields: Readonly<Record<string, string>> }
  /** A file that is made from the tree and the index. */
  | { kind: 'generated'; status: 200; treePath: string }
  /** The site's own search. */
  | { kind: 'search' }
  | { kind: 'missing' | 'gone'; fields: Readonly<Record<string, string>> }

/** Consecutive redirects within a site that are followed before they count as a loop. */
const MAX_REDIRECTS = 10
const SEARCH_PATH = '/_search'

/** Resolves a target (path and query in origin form). The result depends only on view and target, so it can be cached. */
export function resolve(view: ResolvableView, target: string): Resolution {
  const rules = rulesOf(view.snapshot)
  const first = answer(view, rules, target)
  // In a redirect loop, visitors get the site's answer without its rules.
  return endsSoon(view, rules, target, first) ? first : { ...answer(view, undefined, target), isLoop: true }
}

/** Returns the fields of a preflight's answer: those of the answer to GET that concern pages of other origins. */
export function resolvePreflight(view: ResolvableView, target: string): Readonly<Record<string, string>> {
  const found = resolve(view, target)
  return 'file' in found ? crossOriginIn(found.file.fields) : crossOriginAt(view, splitAtQuery(target)[0])
}

/** Returns the line of the rule that is skipped at a target because it leads to the same URL; undefined if none is. */
export function skippedLine(view: ResolvableView, target: string): number | undefined {
  const [pathname, query] = splitAtQuery(target)
  const matched = rulesOf(view.snapshot).redirects.match(pathname, query)
  if (matched === undefined || !leadsBack(view, matched, pathname, query)) return undefined
  // Without "!" the rule waits for the site to have no file there.
  return matched.rule.force || answerWithFile(view, pathname, query) === undefined ? matched.rule.line : undefined
}

function crossOriginAt({ snapshot }: ResolvableView, pathname: string): Readonly<Record<string, string>> {
  return crossOriginIn(fieldsFor(rulesOf(snapshot).headers, { own: [pathname] }))
}

function endsSoon(view: ResolvableView, rules: SiteRules, target: string, first: Resolution): boolean {
  let [place, next] = [target, first]
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    if (next.kind !== 'redirect') return true
    const [pathname] = splitAtQuery(place)
    const led = placeInSite(view.origin, next.location, pathname)
    if (led === undefined) return true
    place = led
    next = answer(view, rules, place)
  }
  return false
}

/** Answers one step: it does not follow redirects. */
function answer(view: ResolvableView, rules: SiteRules | undefined, target: string): Resolution {
  const [pathname, query] = splitAtQuery(target)
  const matched = rules?.redirects.match(pathname, query)
  const byRule = matched && (() => withLine(applyRule(view, matched, pathname, query), matched.rule.line))
  return (
    (matched?.rule.force === true ? byRule?.() : undefined) ??
    answerWithFile(view, pathname, query) ??
    answerGenerated(view, pathname) ??
    (matched?.rule.force === false ? byRule?.() : undefined) ??
    answerFormer(view, rules, pathname, query) ??
    answerWithMarkdown(view, pathname) ??
    (view.search === true && pathname === SEARCH_PATH ? { kind: 'search' } : undefined) ??
    answerNotFound(view, pathname)
  )
}

function answerWithFile(view: ResolvableView, pathname: string, query: string): Resolution | undefined {
  const named = findFile(view.snapshot, pathname)
  if (named === undefined) return undefined
  if (named.kind === 'moved') {
    return { kind: 'redirect', status: 308, location: named.to + passOn(query), fields: crossOriginAt(view, pathname) }
  }
  const file = withFields(view, named.file, 200, { own: named.forms })
  if (pathname === named.canonical) return show(view, file)
  const { link } = file.fields
  const canonical = `<${named.canonical}>; rel="canonical"`
  const fields = { ...file.fields, link: link === undefined ? canonical : `${canonical}, ${link}` }
  return show(view, { ...file, fields })
}

function answerGenerated(view: ResolvableView, pathname: string): Resolution | undefined {
  const treePath = generatedFileAt(view, pathname)
  return treePath === undefined ? undefined : { kind: 'generated', status: 200, treePath }
}

/** Answers at an address where something was published once. It may be published there again at any time, so no cache keeps the answer. */
function answerFormer(
  view: ResolvableView,
  rules: SiteRules | undefined,
  pathname: string,
  query: string,
): Resolution | undefined {
  const isRuled = (path: string) => rules?.redirects.match(path, '') !== undefined
  const lead = formerLead(view.snapshot, pathname, { origin: view.origin, isRuled })
  if (lead === undefined) return undefined
  const fields = { ...crossOriginAt(view, pathname), 'cache-control': 'no-cache' }
  if ('gone' in lead) return { kind: 'gone', fields }
  const location = /[?#]/.test(lead.to) ? lead.to : lead.to + passOn(query)
  return { kind: 'redirect', status: 308, location, fields }
}

/** Answers `/about.md` for `/about` and `/docs/index.md` for `/docs/`, unless the site has something else there. */
function answerWithMarkdown(view: ResolvableView, pathname: string): Resolution | undefined {
  if (view.markdown !== true || !pathname.endsWith('.md')) return undefined
  const page = pathname.replace(/(?<=\/)index\.md$|\.md$/, '')
  const named = findFile(view.snapshot, page)
  if (named?.kind !== 'file' || pagePathOf(named.file.treePath) === undefined) return undefined
  const shown = show(view, withFields(view, named.file, 200, { own: named.forms }))
  return shown.kind === 'file' ? { kind: 'markdown', file: shown.file } : shown
}

/** Returns undefined if the rule leads back to the request's own URL. */
function applyRule(
  view: ResolvableView,
  matched: MatchedRule,
  pathname: string,
  query: string,
): Resolution | undefined {
  const { status } = matched.rule
  if (status >= 300 && status < 400) {
    const location = locationOf(matched, query)
    if (location === undefined || leadsBack(view, matched, pathname, query)) return undefined
    return { kind: 'redirect', status, location, fields: crossOriginAt(view, pathname) }
  }
  const named = findFile(view.snapshot, targetPathOf(matched))
  const meant = named?.kind === 'moved' ? findFile(view.snapshot, named.to) : named
  if (meant?.kind !== 'file') return answerNotFound(view, pathname)
  const paths = status === 200 ? { own: meant.forms, asked: pathname } : { own: [pathname] }
  return show(view, withFields(view, meant.file, status, paths))
}

/** Whether the rule redirects to the request's own URL. */
function leadsBack({ origin }: ResolvableView, matched: MatchedRule, pathname: string, query: string): boolean {
  const { status } = matched.rule
  const location = status >= 300 && status < 400 ? locationOf(matched, query) : undefined
  return location !== undefined && isSamePlace(origin, location, pathname, query)
}

function answerNotFound(view: ResolvableView, pathname: string): Resolution {
  const page = findNotFoundPage(view.snapshot, pathname)
  if (page === undefined || isGone(view, page)) {
    return { kind: 'missing', fields: crossOriginAt(view, pathname) }
  }
  return show(view, withFields(view, page, 404, { own: [pathname] }))
}

/** An answer with 400 or above may soon be another one, so no cache may keep it for long. */
function withFields({ snapshot }: ResolvableView, file: File, status: number, paths: AnswerPaths): FoundFile {
  const fields = asFieldsOf(file.treePath, fieldsFor(rulesOf(snapshot).headers, paths))
  return { ...file, status, fields: status < 400 ? fields : withoutCaching(fields), paths }
}

function show(view: ResolvableView, file: FoundFile): Resolution {
  return isGone(view, file) ? { kind: 'gone', fields: crossOriginIn(file.fields) } : { kind: 'file', file }
}

function isGone(view: ResolvableView, { treePath, source = treePath }: File): boolean {
  return view.isGone?.(source) === true
}

function withLine(found: Resolution | undefined, line: number): Resolution | undefined {
  return found && { ...found, line }
}

/** Whether a redirect leads to the request's own URL. A trailing slash and the way of encoding are ignored, as in rules. */
function isSamePlace(origin: string, location: string, pathname: string, query: string): boolean {
  const place = placeInSite(origin, location, pathname)
  const own = placeInSite(origin, origin + pathname + passOn(query))
  return place !== undefined && own !== undefined && asForRules(place) === asForRules(own)
}

function asForRules(target: string): string {
  const [pathname, query] = splitAtQuery(target)
  return `${rulePathOf(pathname).text}?${query}`
}

function splitAtQuery(target: string): [pathname: string, query: string] {
  const cut = target.indexOf('?')
  return cut < 0 ? [target, ''] : [target.slice(0, cut), target.slice(cut + 1)]
}
