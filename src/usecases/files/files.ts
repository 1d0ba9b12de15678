// Files that are no pages: list, read, delete, move.

import type { DeletedFileData, FileData } from '../../../schemas/files.js'
import { mediaTypeOf } from '../../model/media-type.js'
import { treePathOfFile } from '../../model/paths/file-path.js'
import { isPageFile } from '../../model/paths/page-path.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Content } from '../../model/bytes.js'
import { isRulesFile } from '../../model/paths/tree-name.js'
import type { Precondition } from '../../repository/protocol/write.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type DryRunInput, type SliceInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'
import { toWrite, writeSite } from '../context/write-site.js'
import { describeDraft } from '../pages/dry-run.js'
import { changeFile, changeFileOnce } from './change-file.js'
import { blobAt, parseFilePath, parseWritablePath, refusePage, toFileData } from './file-data.js'
import { refuseWrongLinesOf } from './refuse-wrong-lines.js'
import { explainStaleFile } from './stale-file.js'

interface ListFilesInput extends SliceInput {
  path?: string
  prefix?: string
  q?: string
}

/** Lists the files of one site at its head, ordered by path. */
export async function listFiles(
  services: Services,
  context: RequestContext,
  { path, prefix, q, cursor, limit = DEFAULT_LIMIT }: ListFilesInput,
): Promise<Result<FileData[]>> {
  const site = siteOf(services, context)
  const query = {
    ...(path !== undefined && { path: treePathOfFile(path) }),
    ...(prefix !== undefined && { prefix: prefix.replace(/^\//, '') }),
    q,
    cursor,
    limit,
  }
  const { rows, nextCursor } = await services.indexFollower.read(site, (index) => index.files.list(query))
  return { data: rows.map((row) => toFileData(services, site, row)), nextCursor }
}

/** Returns the bytes of a file or page at the site's head: only so can a page be read that is too large as one. Throws `file_not_found`. */
export function getFileContent(services: Services, context: RequestContext, input: { path: string }): Result<Content> {
  const site = siteOf(services, context)
  const named = treePathOfFile(input.path)
  const treePath = isPageFile(named) ? named : parseFilePath(input.path)
  const snapshot = services.store.snapshot(site)
  const oid = blobAt(snapshot, treePath)
  return {
    data: {
      mediaType: mediaTypeOf(treePath),
      size: snapshot.size(oid),
      etag: quoteTag(oid),
      open: (span) => snapshot.pieces(oid, span),
    },
  }
}

/** Throws `file_not_found`, `precondition_failed`. */
export async function deleteFile(
  services: Services,
  context: RequestContext,
  input: Conditions & DryRunInput & { path: string },
): Promise<Result<DeletedFileData>> {
  const site = siteOf(services, context)
  const path = parseFilePath(input.path)
  const operation = { kind: 'delete-file', path, ...conditionOf(input) } as const
  return await explainStaleFile(services, site, { treePath: path, input }, async () => {
    if (input.dryRun === true) {
      const draft = await services.store.draft(site, toWrite(services, context, operation))
      return { data: { path: `/${path}`, commit: null, dryRun: await describeDraft(services, site, draft) } }
    }
    const { commit } = await writeSite(services, context, site, operation)
    return { data: { path: `/${path}`, commit } }
  })
}

interface MoveFileInput extends Conditions, DryRunInput {
  from: string
  to: string
  /** Accepts rules with wrong lines. */
  force?: boolean
  reason?: string
  siteId?: string
}

/** Throws `file_not_found`, `path_conflict` if something is at `to`, and `invalid_rules`. */
export async function moveFile(
  services: Services,
  context: RequestContext,
  input: MoveFileInput,
): Promise<Result<FileData>> {
  const site = siteOf(services, context, input.siteId)
  const from = parseFilePath(input.from)
  const to = parseWritablePath(services, site, input.to)
  refusePage(services, to, undefined)
  return await changeFileOnce(services, context, site, { treePath: to, input }, async (idempotency) => {
    const read = input.force === true ? {} : checkMovedRules(services.store.snapshot(site), from, to)
    const operation = { kind: 'move-file', from, to, ...read, ...conditionOf(input) } as const
    return await changeFile(services, context, site, {
      operation,
      treePath: to,
      input,
      reason: input.reason,
      idempotency,
    })
  })
}

/** Checks rules that are moved. The precondition makes sure that the moved bytes are the checked ones. */
function checkMovedRules(snapshot: Snapshot, from: string, to: string): Precondition {
  const entry = snapshot.entry(from)
  if (!isRulesFile(to) || entry === undefined || !isFile(entry.mode)) return {}
  refuseWrongLinesOf(snapshot, to, entry.oid)
  return { ifMatch: [entry.oid] }
}
