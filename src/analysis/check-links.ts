// Broken links within a site.

import { joinTreePath } from '../git/objects/tree-path.js'
import { pagePathOf, urlPathOf } from '../model/paths/page-path.js'
import { isFile } from '../store/format/file-mode.js'
import { MAX_BLOB_BYTES, type Snapshot } from '../store/reading/snapshot.js'
import { targetsOf } from './broken-links.js'
import { walkFolders } from './check-names.js'
import { type Finding, MAX_FINDINGS } from './finding.js'
import { linksOf } from './links-of.js'

/** After this the check stops, to be continued by another call. */
const MAX_STEP_MS = 500

export interface LinksChecked {
  findings: Finding[]
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
  let isComplete = true
  let number = 0
  for (const { path, oid, page } of pagesOf(snapshot)) {
    if (number++ < from) continue
    if (number - 1 > from && (performance.now() > end || findings.length >= MAX_FINDINGS))
      return { findings, next: number - 1, isComplete }
    const html = snapshot.blobWithin(oid, MAX_BLOB_BYTES)
    if (html === undefined) {
      const message = `The page has more than ${MAX_BLOB_BYTES} bytes: it is served, and the service reads nothing in it. Make it smaller.`
      findings.push({ code: 'too_large', path, message })
      continue
    }
    const links = linksOf(html, urlPathOf(page))
    isComplete &&= links.isComplete
    for (const target of links.paths) {
      if (!leads(target)) findings.push({ code: 'broken_link', path, message: `The link to ${target} leads nowhere.` })
    }
  }
  return { findings, next: null, isComplete }
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
