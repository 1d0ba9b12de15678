// Dry runs: a write is checked and built like a real one, and the answer says what it would change and where to preview it.
// Nothing is written to the repository.

import type { DryRunData, PageData } from '../../../schemas/pages.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import type { SiteDraft } from '../../repository/reading/site-draft.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { withLinksOfOthers } from './links.js'
import { pageNotFound } from './find-page.js'
import { pageWithoutSidecar, readStoredPage, type StoredPage } from './page-as-of.js'
import { toPageData } from './page-data.js'
import type { AtSite, Changing, SiteCall } from '../context/call.js'
import type { Result } from '../context/result.js'
import { toFileChanges } from '../context/file-changes.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'

/** Returns the page as the draft leaves it. */
export async function showPage(call: SiteCall<Changing>, draft: SiteDraft): Promise<Result<PageData>> {
  const { site } = call
  const row = await call.indexFollower.read(site, (index) => index.pages.find(draft.written.id))
  const after = toPageData(call, rowAfter(site, draft, row))
  const path = new URL(after.url).pathname
  const dryRun = await describeDraft(call, draft, after.status === 'published' ? path : '/')
  return { data: { ...after, ...(!draft.written.changed && { changed: false as const }), dryRun } }
}

/** Describes the change of a draft; its preview opens at `path`, and there is none for null. */
export async function describeDraft(
  call: AtSite<Changing>,
  draft: SiteDraft,
  path: string | null = '/',
): Promise<DryRunData> {
  const { site } = call
  const { written, snapshot, base } = draft
  const changes = snapshot.changesSince(base)
  const sources = { base: call.store.sourceOf(site, base), draft: call.store.draftSourceOf(site, draft) }
  const { found, warnings } = await withLinksOfOthers(
    call,
    changes,
    async (targets) => await call.tasks.run('describeDraft', { ...sources, changes, targets }, site),
  )
  const preview = path === null ? undefined : call.previews.keep(site, draft)
  return {
    created: written.created,
    files: toFileChanges(changes),
    diff: found.diff,
    warnings,
    previewUrl: preview === undefined ? null : siteUrlOf(call, preview.label) + (path ?? ''),
    expiresAt: preview?.expiresAt ?? null,
  }
}

/** Returns the page's row as the index would have it. Its commit id is the draft's, which is stored nowhere. */
function rowAfter(site: Site, { written, snapshot }: SiteDraft, row: PageRow | undefined): PageRow {
  const { id, commit, changed } = written
  if (!changed && row !== undefined) return row
  const known = row ?? { title: null, titleIsSet: true }
  const stored = readStoredPage(snapshot, id, known) ?? (row && pushedPage(snapshot, row))
  if (stored === undefined) throw pageNotFound()
  const time = toTimestamp(snapshot.time)
  const isMoved = stored.blob !== null && row !== undefined && stored.path !== row.path
  const isVersion = isMoved || stored.blob !== (row?.blob ?? null)
  return {
    ...stored,
    siteId: site.id,
    id,
    version: row && !isVersion ? row.version : { commit, number: (row?.version.number ?? 0) + 1 },
    etag: commit,
    createdAt: row?.createdAt ?? time,
    updatedAt: time,
  }
}

/** Returns a page without a sidecar: only its new bytes and their title do not come from the index. */
function pushedPage(snapshot: Snapshot, row: PageRow): StoredPage {
  const file = snapshot.facts().pageFiles.find(({ treePath }) => treePath === row.treePath)
  if (!file?.after) return row
  return pageWithoutSidecar(snapshot, { path: row.path, blob: file.after.oid, size: file.after.size })
}
