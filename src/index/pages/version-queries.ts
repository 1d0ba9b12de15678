// Questions about the versions of a page.

import { toTimestamp } from '../../model/clock.js'
import type { Verified } from '../../model/commits/facts.js'
import { conditionAfter, isWhole, type Order, orderBy, rowsToAsk, toListing } from '../tables/cursor.js'
import type { Listing, Slice, VersionAction, VersionRow } from '../tables/rows.js'
import { type RowReader, verifiedOf } from '../tables/sql.js'

const NEWEST_FIRST: Order = { name: 'versions', columns: [{ column: 'number', descending: true, holds: isWhole }] }

export interface MadeVersion {
  pageId: string
  number: number
}

interface StoredVersion {
  page_id: string
  number: number
  commit_oid: string
  action: VersionAction
  author: string
  message: string
  verified: Verified
  path: string
  blob: string | null
  size: number
  created_at: number
}

const VERSION_COLUMNS = `page_id, number, commit_oid, action, author, message, path, blob, size, created_at, ${verifiedOf('versions')}`

export class VersionQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** Lists versions, newest first. Throws `invalid_cursor`. */
  list(pageId: string, slice: Slice): Listing<VersionRow> {
    const after = conditionAfter(NEWEST_FIRST, slice.cursor)
    const versions = this.#rows.all<StoredVersion>(
      `SELECT ${VERSION_COLUMNS} FROM versions WHERE page_id = ? AND (${after.text})
       ORDER BY ${orderBy(NEWEST_FIRST)} LIMIT ?`,
      [pageId, ...after.values, rowsToAsk(slice.limit)],
    )
    return toListing(NEWEST_FIRST, slice.limit, versions, (version) => [version.number], toVersionRow)
  }

  /** Finds a version. `version` is a number or the full oid of its commit. */
  find(pageId: string, version: number | string): VersionRow | undefined {
    const where =
      typeof version === 'number'
        ? 'WHERE page_id = ? AND number = ?'
        : 'INDEXED BY versions_by_commit WHERE page_id = ? AND commit_oid = ?'
    const found = this.#rows.first<StoredVersion>(`SELECT ${VERSION_COLUMNS} FROM versions ${where}`, [pageId, version])
    return found && toVersionRow(found)
  }

  /** Returns the versions that a commit made of the pages now at these paths. A page moved since is not found at its old path. */
  madeBy(commit: string, treePaths: readonly string[]): Map<string, MadeVersion> {
    // If one page gave its path to another, the version with html comes last and wins: visitors got that one.
    const made = this.#rows.all<{ tree_path: string; page_id: string; number: number }>(
      `SELECT pages.tree_path, versions.page_id, versions.number
       FROM json_each(?1) AS wanted
       CROSS JOIN pages INDEXED BY pages_by_tree_path ON pages.tree_path = wanted.value
       CROSS JOIN versions INDEXED BY versions_by_commit
         ON versions.page_id = pages.page_id AND versions.commit_oid = ?2
       ORDER BY versions.blob IS NOT NULL`,
      [JSON.stringify(treePaths), commit],
    )
    return new Map(made.map(({ tree_path, page_id, number }) => [tree_path, { pageId: page_id, number }]))
  }
}

function toVersionRow(version: StoredVersion): VersionRow {
  return {
    pageId: version.page_id,
    number: version.number,
    commit: version.commit_oid,
    action: version.action,
    author: version.author,
    message: version.message,
    verified: version.verified,
    path: version.path,
    blob: version.blob,
    size: version.size,
    createdAt: toTimestamp(version.created_at),
  }
}
