// Broken links that a change would make: in the pages that it changes, and in other pages to what it removes.

import { joinTreePath } from '../git/objects/tree-path.js'
import { LRUCache } from 'lru-cache'
import type { DryRunData } from '../../schemas/pages.js'
import type { PageFileChange } from '../model/commits/facts.js'
import { assetPathOf, pagePathOf, pagePathOfUrl, treePathOf, urlPathOf } from '../model/paths/page-path.js'
import { rulePathOf } from '../model/rules/path-pattern.js'
import { parseRedirects, REDIRECTS_FILE } from '../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../model/rules/rules-file.js'
import { isFile } from '../store/format/file-mode.js'
import { MAX_BLOB_BYTES, type Snapshot } from '../store/reading/snapshot.js'
import { walkFolders } from './check-names.js'
import { linksOf } from './links-of.js'

type LinkWarning = DryRunData['warnings'][number]

const MAX_WARNINGS = 50
/** After this the search stops. */
const MAX_SEARCH_MS = 100
const GENERATED = new Set(['/robots.txt', '/sitemap.xml'])
/** Targets whose answer is remembered. */
const MAX_KNOWN_TARGETS = 50_000

/** What a change does to the files of a site. */
export interface ChangedFiles {
  pages: readonly PageFileChange[]
  /** Whether a page or another file goes. */
  removes: boolean
}

/** `before` and `after` are the site without and with the changes. Stops after 100 ms or 50 warnings. */
export function findBrokenLinks(before: Snapshot, after: Snapshot, changes: ChangedFiles): LinkWarning[] {
  const warnings: LinkWarning[] = []
  const end = performance.now() + MAX_SEARCH_MS
  const leads = targetsOf(after)
  let isComplete = true
  for (const link of linksAtStake(before, after, changes)) {
    if (link === 'unread' || warnings.length >= MAX_WARNINGS || performance.now() > end) {
      isComplete = false
      if (link !== 'unread') break
    } else if (link !== undefined && !leads(link.target)) {
      warnings.push({ code: 'broken_link', path: link.path, message: `The link to ${link.target} would lead nowhere.` })
    }
  }
  if (isComplete) return warnings
  const message = 'Not every page was checked: there may be more broken links.'
  return [...warnings, { code: 'links_unchecked', path: null, message }]
}

/** The links of changed pages, then those of other pages to what is removed. `unread` for the rest of a page that is too long, undefined between pages. */
function* linksAtStake(
  before: Snapshot,
  after: Snapshot,
  { pages, removes }: ChangedFiles,
): Generator<{ path: string; target: string } | 'unread' | undefined> {
  const seen = new Set<string>()
  function* linksAt(treePath: string, oid: string, isAtStake: (target: string) => boolean) {
    yield undefined
    const path = pagePathOf(treePath)
    if (path === undefined || seen.has(path)) return
    seen.add(path)
    const html = after.blobWithin(oid, MAX_BLOB_BYTES)
    if (html === undefined) {
      yield 'unread' as const
      return
    }
    const { paths, isComplete } = linksOf(html, urlPathOf(path))
    for (const target of paths.keys()) if (isAtStake(target)) yield { path, target }
    if (!isComplete) yield 'unread' as const
  }
  for (const { treePath, after: file } of pages) if (file !== null) yield* linksAt(treePath, file.oid, () => true)
  // Links of other pages can break only where something is removed.
  if (!removes) return
  const led = targetsOf(before)
  for (const { path, entries } of walkFolders(after)) {
    for (const { name, mode, oid } of entries) {
      if (isFile(mode) && name.endsWith('.html')) yield* linksAt(joinTreePath(path, name), oid, led)
    }
  }
}

/** A file that is too long has no rules, as for visitors. */
function redirectsIn(snapshot: Snapshot, oid: string) {
  const bytes = snapshot.blobWithin(oid, MAX_RULES_FILE_BYTES)
  return bytes === undefined ? [] : parseRedirects(bytes).rules
}

/** Whether a URL path leads somewhere: to a file, a page (with or without the last slash), a redirect or a generated file. */
export function targetsOf(snapshot: Snapshot): (pathname: string) => boolean {
  const isThere = (treePath: string | undefined) => treePath !== undefined && isFile(snapshot.entry(treePath)?.mode)
  const isPage = (pathname: string) => {
    const page = pagePathOfUrl(pathname)
    return page !== undefined && isThere(treePathOf(page))
  }
  const entry = snapshot.entry(REDIRECTS_FILE)
  const rules = isFile(entry?.mode) && entry !== undefined ? redirectsIn(snapshot, entry.oid) : []
  const isRuled = (pathname: string) => {
    const path = rulePathOf(pathname)
    return path !== undefined && rules.some(({ from }) => from.match(path) !== undefined)
  }
  const leads = (pathname: string) => {
    const twin = pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`
    return (
      GENERATED.has(pathname) || isThere(assetPathOf(pathname)) || isPage(pathname) || isPage(twin) || isRuled(pathname)
    )
  }
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN_TARGETS, memoMethod: leads })
  return (pathname) => known.memo(pathname)
}
