// The versions of a file: list, and roll back to one.

import type { FileData, FileVersionData } from '../../../schemas/files.js'
import type { FileVersionRow } from '../../index/tables/rows.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_NAMED_VERSIONS } from '../../repository/protocol/write.js'
import type { AtSite, Call, Changing, Finding } from '../context/call.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type DryRunInput, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { undoneAfter } from '../context/undone-after.js'
import { changeFile } from './change-file.js'
import { fileNotFound, parseFilePath } from './file-data.js'

/** Lists the newest first; works for a deleted file too. Throws `file_not_found` if there never was one. */
export async function listFileVersions(
  asked: Call<Finding>,
  { path, cursor, limit = DEFAULT_LIMIT }: SliceInput & { path: string },
): Promise<Result<FileVersionData[]>> {
  const call = { ...asked, site: siteOf(asked) }
  const treePath = parseFilePath(path)
  const { rows, nextCursor } = await call.indexFollower.read(call.site, (index) =>
    index.files.versions(treePath, { cursor, limit }),
  )
  if (rows.length === 0 && cursor === undefined) throw fileNotFound(treePath)
  return { data: rows.map((row) => toVersionData(call, row)), nextCursor }
}

/** Makes a new version with the bytes of an earlier one. This also restores a deleted file. */
export async function rollbackFile(
  asked: Call<Changing>,
  input: Conditions & DryRunInput & { path: string; version: number | string; reason?: string; siteId?: string },
): Promise<Result<FileData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const treePath = parseFilePath(input.path)
  const { created: _created, ...result } = await changeFile(call, {
    input,
    treePath,
    plan: async () => {
      const operation = { ...(await toRollback(call, treePath, input.version)), ...conditionOf(input) }
      return { operation, reason: input.reason }
    },
    isRepeatable: true,
  })
  return result
}

/** Throws `version_not_found` with the existing numbers. */
export async function findFileVersion(
  call: AtSite<'indexFollower'>,
  path: string,
  name: number | string,
): Promise<FileVersionRow> {
  const wanted = /^\d{1,15}$/.test(String(name)) ? Number(name) : name
  const { version, newest } = await call.indexFollower.read(call.site, (index) => ({
    version: index.files.findVersion(path, wanted),
    newest: index.files.versions(path, { limit: 1 }).rows[0],
  }))
  if (version !== undefined) return version
  if (newest === undefined) throw fileNotFound(path)
  throw new ServiceError(
    'version_not_found',
    `The file has no version ${name}: give a number from 1 to ${newest.number}, or the full commit id of one of them.`,
  )
}

export function deletedVersion(number: number): ServiceError {
  return new ServiceError('conflict', `Version ${number} deleted the file and has no bytes: choose another.`)
}

async function toRollback(call: AtSite<'catalog' | 'indexFollower'>, path: string, name: number | string) {
  const { site } = call
  const version = await findFileVersion(call, path, name)
  const { rows: newest } = await call.indexFollower.read(site, (index) =>
    index.files.versions(path, { limit: MAX_NAMED_VERSIONS }),
  )
  const { number, commit, blob } = version
  if (blob === null) throw deletedVersion(number)
  if (call.catalog.withdrawals.has(site.id, blob))
    throw new ServiceError('conflict', `Version ${number} is withdrawn: choose another, or PUT its bytes again.`)
  return { kind: 'rollback-file', path, version: commit, blob, undone: undoneAfter(number, newest) } as const
}

function toVersionData({ store, site }: AtSite<'store'>, row: FileVersionRow): FileVersionData {
  const { commit, operation, message } = store.commits.read(site, row.commit)
  const { commit: id, number, verified, blob, size, createdAt } = row
  return {
    id,
    number,
    action: actionOf(operation, row),
    oid: blob,
    size,
    author: commit.author.name,
    message,
    verified,
    createdAt,
  }
}

function actionOf(operation: string, { number, blob }: FileVersionRow): FileVersionData['action'] {
  if (operation.startsWith('Roll back file ')) return 'rollback'
  if (/^(?:Revert|Reapply) "/.test(operation)) return 'revert'
  if (blob === null) return 'delete'
  return number === 1 ? 'add' : 'replace'
}
