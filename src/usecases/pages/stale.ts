// Refuses a stale entity tag with the page's current entity tag and version, and the changes since the client's.

import { ServiceError, whyStale } from '../../model/errors.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import { isOid } from '../../model/ids.js'
import { isFile } from '../../repository/format/file-mode.js'
import { type FoundPage, findPage } from './find-page.js'
import { readStoredPage } from './page-as-of.js'
import type { Conditions } from '../context/input.js'
import { quoteTag } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'

/** Runs a change of the page, and adds the newest version and the difference to a `precondition_failed`. */
export async function explainStale<T>(
  services: Services,
  context: RequestContext,
  { site, row }: FoundPage,
  { ifMatch }: Conditions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'precondition_failed') throw error
    const now = await findPage(services, { ...context, target: { ...context.target, site } }, row.id)
    throw await staleError(services, site, now.row, ifMatch)
  }
}

/** Makes a `precondition_failed` with the current entity tag and version, and the difference from the version in `ifMatch`. */
export async function staleError(
  services: Services,
  site: Site,
  row: PageRow,
  ifMatch: readonly string[] | '*' | undefined,
): Promise<ServiceError> {
  const snapshot = services.store.snapshot(site)
  const base = blobOfTag(services, site, row, ifMatch)
  const before = base && { name: `${row.path} (in If-Match)`, oid: base.blob }
  const after = { name: `${row.path} (now)`, oid: row.blob }
  const source = services.store.sourceOf(site, snapshot)
  const diff = before && (await unlessUnreadable(services.tasks.run('diffBlobs', { source, before, after }, site)))
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

/** The html of a page as of an entity tag. */
export interface TaggedBlob {
  blob: string
  /** The ordinal of the tag's commit in main's history. */
  position: number
}

/** Returns the page's html as of the only entity tag; undefined if the page had none, or main has no such commit (any more). */
export function blobOfTag(
  services: Services,
  site: Site,
  row: PageRow,
  ifMatch: readonly string[] | '*' | undefined,
): TaggedBlob | undefined {
  const [tag = ''] = Array.isArray(ifMatch) && ifMatch.length === 1 ? ifMatch : []
  if (!isOid(tag)) return undefined
  // A commit that main lost is never shown.
  const position = services.indexFollower.readBehind(site, (index) => index.commits.positionOf(tag))
  const then = position === undefined ? undefined : services.store.snapshot(site).commitAt(tag)
  if (position === undefined || then === undefined) return undefined
  // The page may have been at another path then.
  const treePath = readStoredPage(then, row.id, row)?.treePath ?? row.treePath
  const entry = then.entry(treePath)
  return entry !== undefined && isFile(entry.mode) ? { blob: entry.oid, position } : undefined
}
