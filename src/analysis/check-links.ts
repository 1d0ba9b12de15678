// Broken links within a site.

import { joinTreePath } from '../git/objects/tree-path.js'
import { type PagePath, pagePathOf, urlPathOf } from '../model/paths/page-path.js'
import { lineAt, lineStartsOf } from '../model/text-parts.js'
import { isFile } from '../store/format/file-mode.js'
import { MAX_BLOB_BYTES, type Snapshot } from '../store/reading/snapshot.js'
import { targetsOf } from './broken-links.js'
import { walkFolders } from './check-names.js'
import { type Finding, MAX_FINDINGS } from './finding.js'
import { linksOf } from './links-of.js'

/** After this the check stops, to be continued by another call. */
const MAX_STEP_MS = 500
/** Pages that are named for one target. */
const MAX_NAMED_PAGES = 10

/** A path that leads nowhere, and who links to it. */
export interface BrokenLink {
  target: string
  /** The pages that link to it. */
  count: number
  /** The first of them, each with the line of its first such link, counted from 1. */
  pages: { file: string; path: PagePath; line: number }[]
}

export interface LinksChecked {
  /** Pages that are not read. */
  findings: Finding[]
  broken: BrokenLink[]
  /** Where to continue; null where no page is left. */
  next: number | null
  /** False where a page has more links than are looked at. */
  isComplete: boolean
}

/** Checks the pages of the site from the one with that number, as many as there is time for, and at least one. */
export function checkLinks(snapshot: Snapshot, from: number): LinksChecked {
  const end = performance.now() + MAX_STEP_MS
  const leads = targetsOf(snapshot)
  const findings: Finding[] = []
  const broken = new Map<string, BrokenLink>()
  const toAnswer = (next: number | null): LinksChecked => ({ findings, broken: [...broken.values()], next, isComplete })
  let isComplete = true
  let number = 0
  for (const { path: file, oid, page } of pagesOf(snapshot)) {
    if (number++ < from) continue
    const isFull = findings.length >= MAX_FINDINGS || broken.size >= MAX_FINDINGS
    if (number - 1 > from && (performance.now() > end || isFull)) return toAnswer(number - 1)
    const html = snapshot.blobWithin(oid, MAX_BLOB_BYTES)
    if (html === undefined) {
      const message = `The page has more than ${MAX_BLOB_BYTES} bytes: it is served, and the service reads nothing in it. Make it smaller.`
      findings.push({ code: 'too_large', path: file, message })
      continue
    }
    const links = linksOf(html, urlPathOf(page))
    isComplete &&= links.isComplete
    const lost = [...links.paths].filter(([target]) => !leads(target))
    const starts = lost.length === 0 ? [] : lineStartsOf(links.text)
    for (const [target, at] of lost) {
      joinBroken(broken, { target, count: 1, pages: [{ file, path: page, line: lineAt(starts, at) }] })
    }
  }
  return toAnswer(null)
}

/** Joins what several steps found of one target. */
export function joinBroken(broken: Map<string, BrokenLink>, { target, count, pages }: BrokenLink): void {
  const known = broken.get(target)
  if (known === undefined) {
    broken.set(target, { target, count, pages: pages.slice(0, MAX_NAMED_PAGES) })
    return
  }
  known.count += count
  known.pages.push(...pages.slice(0, MAX_NAMED_PAGES - known.pages.length))
}

function* pagesOf(snapshot: Snapshot) {
  for (const { path: folder, entries } of walkFolders(snapshot)) {
    for (const { name, mode, oid } of entries) {
      const path = joinTreePath(folder, name)
      const page = isFile(mode) ? pagePathOf(path) : undefined
      if (page !== undefined) yield { path, oid, page }
    }
  }
}
