// The index position of a site: the commit on its first-parent history that its rows describe.

import type { Sql } from './sql.js'

/** Another thread or process moved the index, or is about to: read the position again and go on from there. */
export class IndexMoved extends Error {
  override name = 'IndexMoved'
}

export interface IndexPosition {
  /** The commit that the rows describe, and up to which the site's commits are known; null before the first. */
  commit: string | null
  /** The ordinal of that commit on the first-parent chain; 0 before the first. */
  ordinal: number
  /** A large commit that is being indexed in portions: until its end the rows of pages, collections and records describe no commit. */
  next: NextCommit | undefined
}

export interface NextCommit {
  commit: string
  /** A new one each time the site is indexed from the start: portions of earlier attempts are gone. */
  attempt: string
  /** Whether all portions are stored, and only the pages that they touch are left to settle. */
  isStored: boolean
}

interface PositionRow {
  indexed_commit: string | null
  position: number
  next_commit: string | null
  attempt: string | null
  is_stored: 0 | 1
}

/** Undefined for a site that was never indexed or is forgotten: rows that exist nevertheless are leftovers. */
export function readPosition(sql: Sql, siteId: string): IndexPosition | undefined {
  const row = sql.first<PositionRow>(
    'SELECT indexed_commit, position, next_commit, attempt, is_stored FROM sites WHERE site_id = ?',
    [siteId],
  )
  if (row === undefined) return undefined
  const { indexed_commit: commit, position: ordinal, next_commit: next, attempt, is_stored: isStored } = row
  const isComplete = next === null || attempt === null
  return { commit, ordinal, next: isComplete ? undefined : { commit: next, attempt, isStored: isStored === 1 } }
}

export function storePosition(sql: Sql, siteId: string, { commit, ordinal, next }: IndexPosition): void {
  sql.run(
    `INSERT OR REPLACE INTO sites (site_id, indexed_commit, position, next_commit, attempt, is_stored)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [siteId, commit, ordinal, next?.commit ?? null, next?.attempt ?? null, next?.isStored === true ? 1 : 0],
  )
}
