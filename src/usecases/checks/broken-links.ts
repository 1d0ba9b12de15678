// Broken links that a change would make: in the pages that it changes, and in other pages to what it removes.

import { joinTreePath } from '../../git/objects/tree-path.js'
import { Parser } from 'htmlparser2'
import type { DryRunData } from '../../../schemas/pages.js'
import type { PageFileChange } from '../../model/commits/facts.js'
import { assetPathOf, pagePathOf, pagePathOfUrl, treePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { rulePathOf } from '../../model/rules/path-pattern.js'
import { parseRedirects, REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { isFile } from '../../store/format/file-mode.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { walkFolders } from './check-names.js'

type LinkWarning = DryRunData['warnings'][number]

const MAX_WARNINGS = 50
/** How much of one page is parsed for links. */
const MAX_PARSED_BYTES = 1024 * 1024
/** The search blocks the serving thread: after this it stops. */
const MAX_SEARCH_MS = 30
/** The attribute that holds the address, by element. */
const ADDRESSES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  iframe: 'src',
  img: 'src',
  link: 'href',
  script: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
}
const GENERATED = new Set(['/robots.txt', '/sitemap.xml'])

/** `before` and `after` are the site without and with the changes. Stops after 30 ms or 50 warnings. */
export function findBrokenLinks(before: Snapshot, after: Snapshot, changes: readonly PageFileChange[]): LinkWarning[] {
  const warnings: LinkWarning[] = []
  const end = performance.now() + MAX_SEARCH_MS
  const leads = targetsOf(after)
  const seen = new Set<string>()
  const look = (treePath: string, oid: string, isWanted: (target: string) => boolean): void => {
    const path = pagePathOf(treePath)
    if (path === undefined || seen.has(path)) return
    seen.add(path)
    for (const target of linksOf(after.blob(oid), urlPathOf(path))) {
      if (leads(target) || !isWanted(target)) continue
      warnings.push({ code: 'broken_link', path, message: `The link to ${target} would lead nowhere.` })
    }
  }
  const isOver = () => warnings.length >= MAX_WARNINGS || performance.now() > end
  const isComplete = lookAtAll(after, changes, { look, isOver, led: targetsOf(before) })
  if (isComplete) return warnings
  const message = 'Not every page was checked: there may be more broken links.'
  return [...warnings.slice(0, MAX_WARNINGS), { code: 'links_unchecked', path: null, message }]
}

interface Look {
  look: (treePath: string, oid: string, isWanted: (target: string) => boolean) => void
  isOver: () => boolean
  /** Whether a target existed before. */
  led: (target: string) => boolean
}

function lookAtAll(after: Snapshot, changes: readonly PageFileChange[], { look, isOver, led }: Look): boolean {
  for (const change of changes) {
    if (change.after === null) continue
    if (isOver()) return false
    look(change.treePath, change.after.oid, () => true)
  }
  // Links of other pages can break only where something is removed.
  if (changes.every((change) => change.after !== null)) return true
  for (const { path, entries } of walkFolders(after)) {
    for (const { name, mode, oid } of entries) {
      if (!isFile(mode) || !name.endsWith('.html')) continue
      if (isOver()) return false
      look(joinTreePath(path, name), oid, led)
    }
  }
  return true
}

/** The paths within the site that a document links to. */
export function linksOf(html: Uint8Array, pagePath: string): Set<string> {
  const links = new Set<string>()
  const page = new URL(pagePath, 'http://site.invalid')
  const parser = new Parser({
    onopentag(name, attributes) {
      const address = attributes[ADDRESSES[name] ?? '']
      const url = address !== undefined && URL.canParse(address, page.href) ? new URL(address, page) : undefined
      if (url?.origin === page.origin) links.add(url.pathname)
    },
  })
  parser.end(new TextDecoder().decode(html.subarray(0, MAX_PARSED_BYTES)))
  return links
}

/** Whether a URL path leads somewhere: to a file, a page (with or without the last slash), a redirect or a generated file. */
export function targetsOf(snapshot: Snapshot): (pathname: string) => boolean {
  const isThere = (treePath: string | undefined) => treePath !== undefined && isFile(snapshot.entry(treePath)?.mode)
  const isPage = (pathname: string) => {
    const page = pagePathOfUrl(pathname)
    return page !== undefined && isThere(treePathOf(page))
  }
  const entry = snapshot.entry(REDIRECTS_FILE)
  const rules = isFile(entry?.mode) && entry !== undefined ? parseRedirects(snapshot.blob(entry.oid)).rules : []
  const isRuled = (pathname: string) => {
    const path = rulePathOf(pathname)
    return path !== undefined && rules.some(({ from }) => from.match(path) !== undefined)
  }
  return (pathname) => {
    const twin = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`
    return (
      GENERATED.has(pathname) || isThere(assetPathOf(pathname)) || isPage(pathname) || isPage(twin) || isRuled(pathname)
    )
  }
}
