// A write that is only shown: checked and built as the real one, what it would change, and where it can be looked at. The
// repository is left as it is.

import type { DryRunData, PageData } from '../../../schemas/pages.js'
import type { PageRow } from '../../catalog/index/tables/rows.js'
import type { Site } from '../../catalog/sites.js'
import type { TreeChange } from '../../git/objects/diff.js'
import { toTimestamp } from '../../model/clock.js'
import { isFile } from '../../store/format/file-mode.js'
import { SIDECAR_DIR } from '../../store/format/site-format.js'
import type { SiteDraft } from '../../store/store.js'
import type { Operation } from '../../store/protocol/write.js'
import { findBrokenLinks } from '../checks/broken-links.js'
import { pageNotFound } from './find-page.js'
import { readStoredPage, type StoredPage } from './page-as-of.js'
import { toPageData } from './page-data.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { toFileChanges } from '../context/file-changes.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import type { RequestContext } from '../context/request-context.js'
import { diffTexts } from './text-diff.js'
import { toWrite } from '../context/write-site.js'

/** Files whose texts are compared. */
const MOST_COMPARED = 50
/** Milliseconds for all of them, after which none is begun: this thread serves nobody else meanwhile. */
const LONGEST = 50

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

/** What the draft would change; its preview opens at `path`. */
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
  if (texts.length > MOST_COMPARED) return null
  const textOf = (of: typeof base, entry: TreeChange['before']) =>
    entry !== undefined && isFile(entry.mode) ? of.blob(entry.oid).toString() : undefined
  const end = performance.now() + LONGEST
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

/** As the index would have it. Commits are named by the id that this draft had, which nothing keeps. */
function rowAfter(site: Site, { written, snapshot }: SiteDraft, row: PageRow | undefined): PageRow {
  const { id, commit, changed, facts } = written
  if (!changed && row !== undefined) return row
  const stored = readStoredPage(snapshot, id) ?? (row && pushedPage(row, facts?.pageFiles))
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

/** A page without a sidecar: the index has all but its bytes. */
function pushedPage(
  row: PageRow,
  files: readonly { treePath: string; after: { oid: string; size: number } | null }[] = [],
): StoredPage {
  const file = files.find(({ treePath }) => treePath === row.treePath)
  return file?.after ? { ...row, blob: file.after.oid, size: file.after.size } : row
}
