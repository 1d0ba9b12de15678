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
import type { Call, Changing } from '../context/call.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type DryRunInput, type SliceInput } from '../context/input.js'
import { changeSite } from '../context/change-site.js'
import { quoteTag, type Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { describeDraft } from '../pages/dry-run.js'
import { changeFile } from './change-file.js'
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
  asked: Call<'baseUrl' | 'catalog' | 'indexFollower' | 'limits' | 'siteDomain'>,
  { path, prefix, q, cursor, limit = DEFAULT_LIMIT }: ListFilesInput,
): Promise<Result<FileData[]>> {
  const call = { ...asked, site: siteOf(asked) }
  const query = {
    ...(path !== undefined && { path: treePathOfFile(path) }),
    ...(prefix !== undefined && { prefix: prefix.replace(/^\//, '') }),
    q,
    cursor,
    limit,
  }
  const { rows, nextCursor } = await call.indexFollower.read(call.site, (index) => index.files.list(query))
  return { data: rows.map((row) => toFileData(call, row)), nextCursor }
}

/** Returns the bytes of a file or page at the site's head: only so can a page be read that is too large as one. Throws `file_not_found`. */
export function getFileContent(asked: Call<'catalog' | 'store'>, input: { path: string }): Result<Content> {
  const call = { ...asked, site: siteOf(asked) }
  const named = treePathOfFile(input.path)
  const treePath = isPageFile(named) ? named : parseFilePath(input.path)
  const snapshot = call.store.reader.snapshot(call.site)
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
  asked: Call<Changing>,
  input: Conditions & DryRunInput & { path: string },
): Promise<Result<DeletedFileData>> {
  const call = { ...asked, site: siteOf(asked) }
  const path = parseFilePath(input.path)
  const operation = { kind: 'delete-file', path, ...conditionOf(input) } as const
  return await changeSite<DeletedFileData>(call, {
    input,
    plan: () => ({ operation }),
    answer: ({ commit }) => ({ data: { path: `/${path}`, commit } }),
    show: async (draft) => {
      return { data: { path: `/${path}`, commit: null, dryRun: await describeDraft(call, draft) } }
    },
    explain: (error) => explainStaleFile(call, { treePath: path, input }, error),
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
export async function moveFile(asked: Call<Changing>, input: MoveFileInput): Promise<Result<FileData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const from = parseFilePath(input.from)
  const to = parseWritablePath(call, input.to)
  refusePage(call, to, undefined)
  return await changeFile(call, {
    input,
    treePath: to,
    from,
    plan: () => {
      const read = input.force === true ? {} : checkMovedRules(call.store.reader.snapshot(call.site), from, to)
      return { operation: { kind: 'move-file', from, to, ...read, ...conditionOf(input) }, reason: input.reason }
    },
    isRepeatable: true,
  })
}

/** Checks rules that are moved. The precondition makes sure that the moved bytes are the checked ones. */
function checkMovedRules(snapshot: Snapshot, from: string, to: string): Precondition {
  const entry = snapshot.entry(from)
  if (!isRulesFile(to) || entry === undefined || !isFile(entry.mode)) return {}
  refuseWrongLinesOf(snapshot, to, entry.oid)
  return { ifMatch: [entry.oid] }
}
