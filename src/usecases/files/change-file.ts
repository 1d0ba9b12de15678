// Makes a change of one file, once for each idempotency key, or shows it in a dry run. The answer is the file after the change.

import type { FileData } from '../../../schemas/files.js'
import type { MergedWith } from '../../../schemas/merging.js'
import type { PageRow } from '../../index/tables/rows.js'
import { toTimestamp } from '../../model/clock.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { isLfsPointer, LFS_POINTER, MAX_POINTER_BYTES } from '../../repository/format/lfs-pointer.js'
import type { SiteDraft } from '../../repository/reading/site-draft.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Written } from '../../repository/protocol/written.js'
import type { AtSite, Changing, Reading, SiteCall } from '../context/call.js'
import { type Change, changeSite, type Plan } from '../context/change-site.js'
import type { Conditions, DryRunInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { isOvertaken, type OnConflict, withMerged } from '../merging/on-conflict.js'
import { describeDraft } from '../pages/dry-run.js'
import { warnOfLargePage } from './batch-file.js'
import { fileNotFound, toFileData, toFileResult } from './file-data.js'
import { explainStaleFile } from './stale-file.js'

interface FilePlan extends Plan {
  mergedWith?: MergedWith | undefined
}

interface FileChange<P extends FilePlan> {
  input: Conditions & DryRunInput & OnConflict
  /** Tree path of the file after the change. */
  treePath: string
  /** Tree path of the file that `ifMatch` means, if it is another one. */
  from?: string
  plan: Change<FileData, P>['plan']
  /** Whether a repeated request with the same `Idempotency-Key` is answered from the commit of the first. */
  isRepeatable?: true
  release?: Change<FileData, P>['release']
}

/** Operations that are answered with 201. */
const MAKES_A_FILE = /^(?:Add|Move) file /

/** Refuses a stale entity tag with the difference to the current file. */
export async function changeFile<P extends FilePlan>(
  call: SiteCall<Changing>,
  { input, treePath, from = treePath, plan, isRepeatable, release }: FileChange<P>,
): Promise<Result<FileData>> {
  const change: Change<FileData, P> = {
    input,
    plan,
    answer: async (written, { mergedWith }) => {
      const result = withMerged(await fileAfter(call, treePath, written), mergedWith)
      return written.created ? asCreated(result) : result
    },
    show: async (draft, { packs = [], mergedWith }) =>
      withMerged(await showFile(call, treePath, { draft, isUpload: packs.length > 0 }), mergedWith),
    explain: (error) => explainStaleFile(call, { treePath: from, input }, error),
    ...(input.onConflict && { isOvertaken }),
    ...(release && { release }),
  }
  const replay = async ({ oid: commit, operation }: { oid: string; operation: string }) => {
    const result = await fileAfter(call, treePath, { changed: true, facts: null, commit })
    return MAKES_A_FILE.test(operation) ? asCreated(result) : result
  }
  return await changeSite(call, isRepeatable ? { ...change, replay } : change)
}

async function showFile(
  call: SiteCall<Changing>,
  treePath: string,
  { draft, isUpload }: { draft: SiteDraft; isUpload: boolean },
): Promise<Result<FileData>> {
  const entry = draft.snapshot.entry(treePath)
  if (entry === undefined) throw fileNotFound(treePath)
  const size = draft.snapshot.size(entry.oid)
  const row = { treePath, blob: entry.oid, size, updatedAt: toTimestamp(draft.snapshot.time) }
  const replaced = replacedBlob(call, entry.oid, draft.base.entry(treePath)?.oid)
  const described = await describeDraft(call, draft)
  // Without a preview: it would outlive the upload.
  const dryRun = isUpload ? { ...described, previewUrl: null, expiresAt: null } : described
  const data = { ...toFileData(call, row), ...unchangedMark(draft.written), ...replaced, dryRun }
  return toFileResult({ ...data, ...warnOf(call, draft.snapshot, data) })
}

function asCreated(result: Result<FileData>): Result<FileData> {
  return { ...result, created: true, location: `/files/content?path=${encodeURIComponent(result.data.path)}` }
}

/** Returns the file as the write left it, also if it changed since. */
async function fileAfter(
  call: AtSite<Reading | 'baseUrl' | 'limits' | 'siteDomain'>,
  treePath: string,
  { changed, facts, commit }: Pick<Written, 'changed' | 'facts' | 'commit'>,
): Promise<Result<FileData>> {
  const change = [...(facts?.files ?? []), ...(facts?.pageFiles ?? [])].find((file) => file.treePath === treePath)
  if (facts && change?.after) {
    const { before, after } = change
    const row = { treePath, blob: after.oid, size: after.size, updatedAt: toTimestamp(facts.time) }
    const replaced = replacedBlob(call, after.oid, before)
    return toWrittenFile(call, row, { commit, ...replaced })
  }
  const page = pagePathOf(treePath)
  const { row, replaced } = await call.indexFollower.read(call.site, (index) => {
    if (page !== undefined) return { row: asFile(treePath, index.pages.findByPath(page)), replaced: undefined }
    const version = index.files.findVersion(treePath, commit)
    if (version?.blob == null) return { row: index.files.find(treePath), replaced: undefined }
    const { blob, size, createdAt: updatedAt } = version
    const before = index.files.findVersion(treePath, version.number - 1)?.blob
    return { row: { treePath, blob, size, updatedAt }, replaced: before }
  })
  if (row === undefined) throw fileNotFound(treePath)
  const shown = changed ? { commit, ...replacedBlob(call, row.blob, replaced) } : unchangedMark({ changed })
  return toWrittenFile(call, row, shown)
}

function toWrittenFile(
  call: AtSite<'baseUrl' | 'limits' | 'siteDomain' | 'store'>,
  row: Parameters<typeof toFileData>[1],
  shown: Pick<FileData, 'commit' | 'changed' | 'replaced'>,
): Result<FileData> {
  const data = toFileData(call, row)
  return toFileResult({ ...data, ...shown, ...warnOf(call, call.store.reader.snapshot(call.site), data) })
}

/** Returns the row of a page that was put as a file. */
function asFile(treePath: string, page: PageRow | undefined): Parameters<typeof toFileData>[1] | undefined {
  if (page?.blob == null) return undefined
  const { blob, size, updatedAt } = page
  return { treePath, blob, size, updatedAt }
}

function warnOf(
  { limits }: Pick<Services, 'limits'>,
  snapshot: Snapshot,
  { path, oid, size }: FileData,
): Pick<FileData, 'warnings'> {
  if (pagePathOf(path.slice(1)) !== undefined) return { warnings: [warnOfLargePage(limits, path)] }
  if (size > MAX_POINTER_BYTES || !isLfsPointer(snapshot.blob(oid))) return {}
  return { warnings: [{ code: 'lfs_pointer', path, message: LFS_POINTER }] }
}

/** Names the other bytes that were at the path before. */
function replacedBlob(
  { store, site }: AtSite<'store'>,
  after: string,
  before: string | null | undefined,
): Pick<FileData, 'replaced'> {
  if (before == null || before === after) return {}
  return { replaced: { oid: before, size: store.reader.snapshot(site).size(before) } }
}

function unchangedMark({ changed }: Pick<Written, 'changed'>): { changed?: false } {
  return changed ? {} : { changed: false }
}
