// Refuses a stale entity tag with the page's current entity tag and version, and the changes since the client's.

import { ServiceError, whyStale } from '../../model/errors.js'
import type { PageRow } from '../../index/tables/rows.js'
import { isOid } from '../../model/ids.js'
import { isFile } from '../../repository/format/file-mode.js'
import { type FoundPage, findPage } from './find-page.js'
import { readDescription } from './page-as-of.js'
import type { AtSite, Finding, Reading, SiteCall } from '../context/call.js'
import type { Conditions } from '../context/input.js'
import { quoteTag } from '../context/result.js'

/** Adds the newest version and the difference to a `precondition_failed`; returns any other error as it is. */
export async function explainStale(
  call: SiteCall<Finding | 'tasks'>,
  { row }: FoundPage,
  { ifMatch }: Conditions,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'precondition_failed') return error
  const now = await findPage({ ...call, target: { ...call.target, site: call.site } }, row.id)
  return await staleError(call, now.row, ifMatch)
}

/** Makes a `precondition_failed` with the current entity tag and version, and the difference from the version in `ifMatch`. */
export async function staleError(
  call: AtSite<Reading | 'tasks'>,
  row: PageRow,
  ifMatch: readonly string[] | '*' | undefined,
): Promise<ServiceError> {
  const { site } = call
  const snapshot = call.store.reader.snapshot(site)
  const base = pageOfTag(call, row, ifMatch)
  const before = base && { name: `${row.path} (in If-Match)`, oid: base.blob }
  const after = { name: `${row.path} (now)`, oid: row.blob }
  const source = call.store.sourceOf(site, snapshot)
  const diff = before && (await unlessUnreadable(call.tasks.run('diffBlobs', { source, before, after }, site)))
  return new ServiceError(
    'precondition_failed',
    whyStale(
      ifMatch,
      'The page has changed since the version in If-Match. Read it again and repeat the change on the current version.',
    ),
    {
      etag: quoteTag(row.etag),
      version: { id: row.version.commit, number: row.version.number },
      diff: diff?.unified ?? null,
    },
  )
}

/** Returns undefined if there is no difference to show: the write is refused as stale anyway. */
async function unlessUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** A page as of an entity tag. */
export interface TaggedPage {
  blob: string
  /** The title that a client had set; null without one. */
  setTitle: string | null
  /** The ordinal of the tag's commit in main's history. */
  position: number
}

/** Returns the page as of the only entity tag; undefined if the page had no html, or main has no such commit (any more). */
export function pageOfTag(
  call: AtSite<Reading>,
  row: PageRow,
  ifMatch: readonly string[] | '*' | undefined,
): TaggedPage | undefined {
  const { site } = call
  const [tag = ''] = Array.isArray(ifMatch) && ifMatch.length === 1 ? ifMatch : []
  if (!isOid(tag)) return undefined
  // A commit that main lost is never shown.
  const position = call.indexFollower.readBehind(site, (index) => index.commits.positionOf(tag))
  const then = position === undefined ? undefined : call.store.reader.snapshot(site).commitAt(tag)
  if (position === undefined || then === undefined) return undefined
  // The page may have been at another path then.
  const description = readDescription(then, row.id, row)
  const entry = then.entry(description?.treePath ?? row.treePath)
  const setTitle = description?.setTitle ?? null
  return entry !== undefined && isFile(entry.mode) ? { blob: entry.oid, setTitle, position } : undefined
}
