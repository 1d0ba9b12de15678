// Dry runs: a write is checked and built like a real one, and the answer says what it would change and where to preview it.
// Nothing is written to the repository.

import type { DryRunData, PageData } from '../../../schemas/pages.js'
import type { PageRow } from '../../catalog/index/tables/rows.js'
import type { Site } from '../../catalog/sites.js'
import type { TreeChange } from '../../git/objects/diff.js'
import { toTimestamp } from '../../model/clock.js'
import { isFile } from '../../store/format/file-mode.js'
import { SIDECAR_DIR } from '../../store/format/site-format.js'
import type { SiteDraft } from '../../store/reading/site-draft.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import type { Operation } from '../../store/protocol/write.js'
import { findBrokenLinks } from '../checks/broken-links.js'
import { pageNotFound } from './find-page.js'
import { pageWithoutSidecar, readStoredPage, type StoredPage } from './page-as-of.js'
import { toPageData } from './page-data.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { toFileChanges } from '../context/file-changes.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import type { RequestContext } from '../context/request-context.js'
import { diffTexts } from './text-diff.js'
import { toWrite } from '../context/write-site.js'

const MAX_COMPARED_FILES = 50
/** Comparing blocks the serving thread: after this, no further file is compared. */
const MAX_COMPARING_MS = 50

/** The page as the change would leave it. */
export async function showPage(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: Operation,
): Promise<Result<PageData>> {
  const draft = await services.store.draft(site, toWrite(services, context, operation))
  const row = await services.indexFollower.read(site, (index) => index.pages.find(site.id, draft.written.id))
  const after = toPageData(services, site, rowAfter(site, draft, row))
  const path = new URL(after.url).pathname
  const dryRun = describeDraft(services, site, draft, after.status === 'published' ? path : '/')
  return { data: { ...after, ...(!draft.written.changed && { changed: false as const }), dryRun } }
}

/** Describes the change of a draft; its preview opens at `path`. */
export function describeDraft(services: Services, site: Site, draft: SiteDraft, path = '/'): DryRunData {
  const { written, changes, base, snapshot } = draft
  const preview = written.changed ? services.previews.keep(site, draft) : undefined
  return {
    created: written.created,
    files: toFileChanges(changes),
    diff: diffOf(draft),
    warnings: findBrokenLinks(base, snapshot, written.facts?.pageFiles ?? []),
    previewUrl: preview === undefined ? null : siteUrlOf(services, preview.label) + path,
    expiresAt: preview?.expiresAt ?? null,
  }
}

function diffOf({ base, snapshot, changes }: SiteDraft): string | null {
  const texts = changes.filter(({ path }) => !path.startsWith(`${SIDECAR_DIR}/`))
  if (texts.length > MAX_COMPARED_FILES) return null
  const textOf = (of: typeof base, entry: TreeChange['before']) =>
    entry !== undefined && isFile(entry.mode) ? of.blob(entry.oid).toString() : undefined
  const end = performance.now() + MAX_COMPARING_MS
  let unified = ''
  for (const { path, before, after } of texts) {
    if (performance.now() > end) return null
    const [old, next] = [textOf(base, before), textOf(snapshot, after)]
    const diff = diffTexts(
      { name: old === undefined ? '/dev/null' : path, text: old ?? '' },
      { name: next === undefined ? '/dev/null' : path, text: next ?? '' },
    )
    if (diff === undefined) return null
    unified += diff.unified
  }
  return unified
}

/** The page's row as the index would have it. Its commit id is the draft's, which is stored nowhere. */
function rowAfter(site: Site, { written, snapshot }: SiteDraft, row: PageRow | undefined): PageRow {
  const { id, commit, changed, facts } = written
  if (!changed && row !== undefined) return row
  const known = row ?? { title: null, titleIsSet: true }
  const stored = readStoredPage(snapshot, id, known) ?? (row && pushedPage(snapshot, row, facts?.pageFiles))
  if (stored === undefined) throw pageNotFound()
  const time = toTimestamp(snapshot.time)
  const isVersion = stored.blob !== (row?.blob ?? null)
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

/** A page without a sidecar: all but its new bytes and their title comes from the index. */
function pushedPage(
  snapshot: Snapshot,
  row: PageRow,
  files: readonly { treePath: string; after: { oid: string; size: number } | null }[] = [],
): StoredPage {
  const file = files.find(({ treePath }) => treePath === row.treePath)
  if (!file?.after) return row
  return pageWithoutSidecar(snapshot, { path: row.path, blob: file.after.oid, size: file.after.size })
}
