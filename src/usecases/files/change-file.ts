// Makes a change of one file, once for each idempotency key, or shows it in a dry run. The answer is the file after the change.

import type { FileData } from '../../../schemas/files.js'
import type { Site } from '../../catalog/sites.js'
import { toTimestamp } from '../../model/clock.js'
import type { Operation, Written } from '../../store/protocol/write.js'
import type { DryRunInput } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { answerable, type CommitNotes, toWrite, writeSite } from '../context/write-site.js'
import { describeDraft } from '../pages/dry-run.js'
import { fileNotFound, toFileData, toFileResult } from './file-data.js'

export interface FileChangeRequest extends CommitNotes {
  operation: Operation
  /** Where the file is after the change. */
  treePath: string
  input: DryRunInput
}

/** The subject of a commit that was answered with 201. */
const MAKES_A_FILE = /^(?:Add|Move) file /

export async function changeFile(
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
    const dryRun = await describeDraft(services, site, draft)
    // A preview would outlive the upload.
    if (notes.packs?.length) Object.assign(dryRun, { previewUrl: null, expiresAt: null })
    return toFileResult({ ...toFileData(services, site, row), ...unchangedMark(draft.written), dryRun })
  }
  const written = await writeSite(services, context, site, operation, notes)
  const result = await answerable(written, () => fileAfter(services, site, treePath, written))
  return written.created ? asCreated(result) : result
}

function asCreated(result: Result<FileData>): Result<FileData> {
  return { ...result, created: true, location: `/files/content?path=${encodeURIComponent(result.data.path)}` }
}

/**
 * Lets `change` make the commit, or answers as before where a commit remembers the idempotency key. `change` takes the value of
 * the commit's trailer. A dry run is carried out each time.
 */
export async function changeFileOnce(
  services: Services,
  context: RequestContext,
  site: Site,
  { treePath, input }: Pick<FileChangeRequest, 'treePath' | 'input'>,
  change: (idempotency?: string) => Promise<Result<FileData>>,
): Promise<Result<FileData>> {
  if (input.dryRun === true) return await change()
  const replay = async ({ oid: commit, message }: { oid: string; message: string }) => {
    const result = await fileAfter(services, site, treePath, { changed: true, facts: null, commit })
    return MAKES_A_FILE.test(message) ? asCreated(result) : result
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

/** The file as the write left it, whatever happened since. */
export async function fileAfter(
  services: Services,
  site: Site,
  treePath: string,
  { changed, facts, commit }: Pick<Written, 'changed' | 'facts' | 'commit'>,
): Promise<Result<FileData>> {
  const after = facts?.files.find((file) => file.treePath === treePath)?.after
  if (facts && after) {
    const row = { treePath, blob: after.oid, size: after.size, updatedAt: toTimestamp(facts.time) }
    return toFileResult(toFileData(services, site, row))
  }
  const row = await services.indexFollower.read(site, (index) => {
    const version = index.files.findVersion(site.id, treePath, commit)
    if (version?.blob == null) return index.files.find(site.id, treePath)
    return { treePath, blob: version.blob, size: version.size, updatedAt: version.createdAt }
  })
  if (row === undefined) throw fileNotFound(treePath)
  return toFileResult({ ...toFileData(services, site, row), ...unchangedMark({ changed }) })
}

function unchangedMark({ changed }: Pick<Written, 'changed'>): { changed?: false } {
  return changed ? {} : { changed: false }
}
