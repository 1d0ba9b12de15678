// The index position of a site: the commit on its first-parent history that its rows describe.

import type { RowReader, Sql } from './sql.js'

/** Another thread or process moved the index, or writes to it: read the position again and continue from there. */
export class IndexMoved extends Error {
  override name = 'IndexMoved'
}

/** The file was damaged and has been removed: catch up and ask again. */
export class IndexLost extends Error {
  override name = 'IndexLost'
}

export interface IndexPosition {
  /** Commit that the rows describe, and up to which the site's commits are known. */
  commit: string
  /** Ordinal of that commit on the first-parent chain, from 1. */
  ordinal: number
}

/** Reads the position; undefined for a site that is not indexed yet. */
export function readPosition(rows: RowReader): IndexPosition | undefined {
  return rows.first<IndexPosition>('SELECT commit_oid AS "commit", position AS ordinal FROM indexed', [])
}

export function storePosition(sql: Sql, { commit, ordinal }: IndexPosition): void {
  sql.run('INSERT OR REPLACE INTO indexed (row, commit_oid, position) VALUES (1, ?, ?)', [commit, ordinal])
}
