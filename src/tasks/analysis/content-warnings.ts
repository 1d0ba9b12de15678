// Tells what is likely wrong with what a change writes: a text without tags, a document without a title, and a name like another one.

import type { FileChange, PageFileChange } from '../../model/commits/facts.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { MAX_DOCUMENT_BYTES, readHead } from '../../repository/format/document-head.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { startCpuBound } from '../../threads/cpu-bound.js'
import { type LinkWarning, MAX_LINK_WARNINGS } from './broken-links.js'
import { soundBytes } from './sound-bytes.js'
import { caseClashesOf } from './case-clashes.js'

/** CPU time after which no further page is looked at. */
const MAX_LOOKING_MS = 100
/** Bytes of a page in which a tag is looked for. */
const LOOKED_AT_BYTES = 64 * 1024

/** Returns at most one warning for each page. A page that had no title before is no news. */
export function contentWarnings(after: Snapshot, pages: readonly PageFileChange[]): LinkWarning[] {
  const isOver = startCpuBound(MAX_LOOKING_MS)
  const warnings: LinkWarning[] = []
  for (const { treePath, before, after: file } of pages) {
    if (isOver() || warnings.length >= MAX_LINK_WARNINGS) break
    const path = pagePathOf(treePath)
    const html = file === null ? undefined : soundBytes(after, file.oid, MAX_BLOB_BYTES)
    if (path === undefined || file === null || html === undefined) continue
    if (!hasTag(html)) {
      const message =
        'This text has no tags, so browsers show it as one paragraph. Put each paragraph between <p> and </p>, or send Markdown as HTML.'
      warnings.push({ code: 'no_tags', path, message })
    } else if (after.title(file.oid) === null && (before === null || hadTitle(after, before))) {
      const message = 'It has no <title>: browsers and search engines show the address instead.'
      warnings.push({ code: 'no_title', path, message })
    }
  }
  return warnings
}

/** Warns of new names that differ only by case from others. */
export function caseClashWarnings(after: Snapshot, changed: readonly FileChange[]): LinkWarning[] {
  const added = changed.filter((file) => file.before === null && file.after !== null)
  const clashes = caseClashesOf(
    after,
    added.map(({ treePath }) => treePath),
  )
  return [...clashes].map(({ path, message }) => {
    return { code: 'names_differ_by_case', path: pagePathOf(path) ?? `/${path}`, message }
  })
}

function hadTitle(site: Snapshot, before: string): boolean {
  const html = soundBytes(site, before, MAX_DOCUMENT_BYTES)
  return html !== undefined && readHead(html).title !== null
}

function hasTag(html: Uint8Array): boolean {
  return /<[a-z!][^<]*>/i.test(new TextDecoder().decode(html.subarray(0, LOOKED_AT_BYTES)))
}
