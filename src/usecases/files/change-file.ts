// Makes a change of one file, once for each idempotency key, or shows it in a dry run. The answer is the file after the change.

import type { FileData } from '../../../schemas/files.js'
import type { Site } from '../../catalog/site.js'
import type { PageRow } from '../../index/tables/rows.js'
import { toTimestamp } from '../../model/clock.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { isLfsPointer, LFS_POINTER, MAX_POINTER_BYTES } from '../../repository/format/lfs-pointer.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Written } from '../../repository/protocol/written.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { answerable, type CommitNotes, toWrite, writeSite } from '../context/write-site.js'
import { describeDraft } from '../pages/dry-run.js'
import { warnOfLargePage } from './batch-file.js'
import { fileNotFound, toFileData, toFileResult } from './file-data.js'
import { explainStaleFile } from './stale-file.js'

export interface FileChangeRequest extends CommitNotes {
  operation: Operation
  /** Tree path of the file after the change. */
  treePath: string
  input: Conditions & DryRunInput
}

/** Operations that are answered with 201. */
const MAKES_A_FILE = /^(?:Add|Move) file /

/** Refuses a stale entity tag with the difference to the current file. */
export async function changeFile(
  services: Services,
  context: RequestContext,
  site: Site,
  request: FileChangeRequest,
): Promise<Result<FileData>> {
  const { operation, treePath, input } = request
  const asked = { treePath: operation.kind === 'move-file' ? operation.from : treePath, input }
  return await explainStaleFile(services, site, asked, () => makeChange(services, context, site, request))
}

async function makeChange(
  services: Services,
  context: RequestContext,
  site: Site,
  { operation, treePath, input, ...notes }: FileChangeRequest,
): Promise<Result<FileData>> {
  if (input.dryRun === true) {
    const draft = await services.store.draft(site, toWrite(services, context, operation, notes))
    const entry = draft.snapshot.entry(treePath)
    if (entry === undefined) throw fileNotFound(treePath)
    const size = draft.snapshot.size(entry.oid)
    const row = { treePath, blob: entry.oid, size, updatedAt: toTimestamp(draft.snapshot.time) }
    const replaced = replacedBlob(services, site, entry.oid, draft.base.entry(treePath)?.oid)
    const dryRun = await describeDraft(services, site, draft)
    // Without a preview: it would outlive the upload.
    if (notes.packs?.length) Object.assign(dryRun, { previewUrl: null, expiresAt: null })
    const data = { ...toFileData(services, site, row), ...unchangedMark(draft.written), ...replaced, dryRun }
    return toFileResult({ ...data, ...warnOf(services, draft.snapshot, data) })
  }
  const written = await writeSite(services, context, site, operation, notes)
  const result = await answerable(written, () => fileAfter(services, site, treePath, written))
  return written.created ? asCreated(result) : result
}

function asCreated(result: Result<FileData>): Result<FileData> {
  return { ...result, created: true, location: `/files/content?path=${encodeURIComponent(result.data.path)}` }
}

/**
 * Lets `change` make the commit, or repeats the answer if a commit remembers the idempotency key. `change` takes the value of the commit's
 * trailer. A dry run is carried out each time.
 */
export async function changeFileOnce(
  services: Services,
  context: RequestContext,
  site: Site,
  { treePath, input }: Pick<FileChangeRequest, 'treePath' | 'input'>,
  change: (idempotency?: string) => Promise<Result<FileData>>,
): Promise<Result<FileData>> {
  if (input.dryRun === true) return await change()
  const replay = async ({ oid: commit, operation }: { oid: string; operation: string }) => {
    const result = await fileAfter(services, site, treePath, { changed: true, facts: null, commit })
    return MAKES_A_FILE.test(operation) ? asCreated(result) : result
  }
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      const result = await change(idempotency)
      return { result, committed: result.data.changed !== false }
    },
  )
}

/** Returns the file as the write left it, also if it changed since. */
export async function fileAfter(
  services: Services,
  site: Site,
  treePath: string,
  { changed, facts, commit }: Pick<Written, 'changed' | 'facts' | 'commit'>,
): Promise<Result<FileData>> {
  const change = [...(facts?.files ?? []), ...(facts?.pageFiles ?? [])].find((file) => file.treePath === treePath)
  if (facts && change?.after) {
    const { before, after } = change
    const row = { treePath, blob: after.oid, size: after.size, updatedAt: toTimestamp(facts.time) }
    const replaced = replacedBlob(services, site, after.oid, before)
    return toWrittenFile(services, site, row, { commit, ...replaced })
  }
  const page = pagePathOf(treePath)
  const { row, replaced } = await services.indexFollower.read(site, (index) => {
    if (page !== undefined) return { row: asFile(treePath, index.pages.findByPath(page)), replaced: undefined }
    const version = index.files.findVersion(treePath, commit)
    if (version?.blob == null) return { row: index.files.find(treePath), replaced: undefined }
    const { blob, size, createdAt: updatedAt } = version
    const before = index.files.findVersion(treePath, version.number - 1)?.blob
    return { row: { treePath, blob, size, updatedAt }, replaced: before }
  })
  if (row === undefined) throw fileNotFound(treePath)
  const shown = changed ? { commit, ...replacedBlob(services, site, row.blob, replaced) } : unchangedMark({ changed })
  return toWrittenFile(services, site, row, shown)
}

function toWrittenFile(
  services: Services,
  site: Site,
  row: Parameters<typeof toFileData>[2],
  shown: Pick<FileData, 'commit' | 'changed' | 'replaced'>,
): Result<FileData> {
  const data = toFileData(services, site, row)
  return toFileResult({ ...data, ...shown, ...warnOf(services, services.store.snapshot(site), data) })
}

/** Returns the row of a page that was put as a file. */
function asFile(treePath: string, page: PageRow | undefined): Parameters<typeof toFileData>[2] | undefined {
  if (page?.blob == null) return undefined
  const { blob, size, updatedAt } = page
  return { treePath, blob, size, updatedAt }
}

function warnOf({ limits }: Services, snapshot: Snapshot, { path, oid, size }: FileData): Pick<FileData, 'warnings'> {
  if (pagePathOf(path.slice(1)) !== undefined) return { warnings: [warnOfLargePage(limits, path)] }
  if (size > MAX_POINTER_BYTES || !isLfsPointer(snapshot.blob(oid))) return {}
  return { warnings: [{ code: 'lfs_pointer', path, message: LFS_POINTER }] }
}

/** Names the other bytes that were at the path before. */
function replacedBlob(
  { store }: Services,
  site: Site,
  after: string,
  before: string | null | undefined,
): Pick<FileData, 'replaced'> {
  if (before == null || before === after) return {}
  return { replaced: { oid: before, size: store.snapshot(site).size(before) } }
}

function unchangedMark({ changed }: Pick<Written, 'changed'>): { changed?: false } {
  return changed ? {} : { changed: false }
}
