// Questions about files that are not pages, their versions, and the blobs in the site's history.

import { toTimestamp } from '../../model/clock.js'
import type { Verified } from '../../model/commits/facts.js'
import { conditionAfter, isText, isWhole, type Order, orderBy, rowsToAsk, toListing } from '../tables/cursor.js'
import type { FileQuery, FileRow, FileVersionRow, Listing, Slice } from '../tables/rows.js'
import { type Condition, foldText, joinConditions, type RowReader, verifiedOf } from '../tables/sql.js'

const BY_PATH: Order = { name: 'files', columns: [{ column: 'tree_path', descending: false, holds: isText }] }
const NEWEST_FIRST: Order = { name: 'file-versions', columns: [{ column: 'number', descending: true, holds: isWhole }] }

interface StoredFile {
  tree_path: string
  blob: string
  size: number
  version_number: number
  version_commit: string
  updated_at: number
}

interface StoredVersion {
  number: number
  commit_oid: string
  verified: Verified
  blob: string | null
  size: number
  created_at: number
}

const FILE_COLUMNS = 'tree_path, blob, size, version_number, version_commit, updated_at'
const VERSION_COLUMNS = `number, commit_oid, blob, size, created_at, ${verifiedOf('file_versions')}`

export class FileQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** Lists the existing files by path. Throws `invalid_cursor`. */
  list(query: FileQuery): Listing<FileRow> {
    const where = joinConditions([...fileConditions(query), conditionAfter(BY_PATH, query.cursor)], 'AND')
    const files = this.#rows.all<StoredFile>(
      `SELECT ${FILE_COLUMNS} FROM files WHERE ${where.text} ORDER BY ${orderBy(BY_PATH)} LIMIT ?`,
      [...where.values, rowsToAsk(query.limit)],
    )
    return toListing(BY_PATH, query.limit, files, (file) => [file.tree_path], toFileRow)
  }

  /** Finds the file, if it exists. */
  find(treePath: string): FileRow | undefined {
    const file = this.#rows.first<StoredFile>(
      `SELECT ${FILE_COLUMNS} FROM files WHERE tree_path = ? AND blob IS NOT NULL`,
      [treePath],
    )
    return file && toFileRow(file)
  }

  /** Lists the versions of the files at the path, newest first. Throws `invalid_cursor`. */
  versions(treePath: string, slice: Slice): Listing<FileVersionRow> {
    const after = conditionAfter(NEWEST_FIRST, slice.cursor)
    const versions = this.#rows.all<StoredVersion>(
      `SELECT ${VERSION_COLUMNS} FROM file_versions WHERE tree_path = ? AND (${after.text})
       ORDER BY ${orderBy(NEWEST_FIRST)} LIMIT ?`,
      [treePath, ...after.values, rowsToAsk(slice.limit)],
    )
    return toListing(NEWEST_FIRST, slice.limit, versions, (version) => [version.number], toVersionRow)
  }

  /** Finds a version. `version` is a number or the full oid of its commit. */
  findVersion(treePath: string, version: number | string): FileVersionRow | undefined {
    const column = typeof version === 'number' ? 'number' : 'commit_oid'
    const found = this.#rows.first<StoredVersion>(
      `SELECT ${VERSION_COLUMNS} FROM file_versions WHERE tree_path = ? AND ${column} = ?`,
      [treePath, version],
    )
    return found && toVersionRow(found)
  }

  /** Returns those of the blobs that no page or file in main's history has or had. */
  lacking(blobs: readonly string[]): string[] {
    const rows = this.#rows.all<{ blob: string }>(
      `SELECT value AS blob FROM json_each(?)
       WHERE NOT EXISTS (SELECT 1 FROM file_versions WHERE blob = value)
         AND NOT EXISTS (SELECT 1 FROM versions INDEXED BY versions_by_blob WHERE blob = value)`,
      [JSON.stringify(blobs)],
    )
    return rows.map(({ blob }) => blob)
  }
}

function fileConditions({ path, prefix, q }: FileQuery): Condition[] {
  const conditions: Condition[] = [{ text: 'blob IS NOT NULL', values: [] }]
  if (path !== undefined) conditions.push({ text: 'tree_path = ?', values: [path] })
  // No text has a byte above the last one (0xFF), so the key alone finds all that begins with the prefix.
  if (prefix !== undefined) {
    conditions.push({ text: "tree_path >= ? AND tree_path < ? || CAST(x'FF' AS TEXT)", values: [prefix, prefix] })
  }
  if (q !== undefined && q !== '') conditions.push({ text: 'instr(folded_path, ?) > 0', values: [foldText(q)] })
  return conditions
}

function toFileRow(file: StoredFile): FileRow {
  return {
    treePath: file.tree_path,
    blob: file.blob,
    size: file.size,
    version: { commit: file.version_commit, number: file.version_number },
    updatedAt: toTimestamp(file.updated_at),
  }
}

function toVersionRow(version: StoredVersion): FileVersionRow {
  return {
    number: version.number,
    commit: version.commit_oid,
    verified: version.verified,
    blob: version.blob,
    size: version.size,
    createdAt: toTimestamp(version.created_at),
  }
}
