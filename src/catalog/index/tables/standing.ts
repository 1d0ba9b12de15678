// Where a site's rows stand on its history.

import type { Sql } from './sql.js'

/** Another process moved the index, or is about to: ask where it stands and go on from there. */
export class IndexMoved extends Error {
  override name = 'IndexMoved'
}

export interface Standing {
  /** The commit that the rows are of, and up to which the site's commits are known; null before the first. */
  commit: string | null
  /** The ordinal of that commit on the first-parent chain. */
  position: number
  /** A commit that is being taken in portions: until it is whole, the rows of pages, collections and records are of none. */
  next: Next | undefined
}

export interface Next {
  commit: string
  /** Another one once the site was forgotten and begun anew: portions of before are gone then. */
  attempt: string
  /** Whether all portions are there, and only what they touched is to be brought to the commit. */
  isStored: boolean
}

interface StandingRow {
  indexed_commit: string | null
  position: number
  next_commit: string | null
  attempt: string | null
  is_stored: 0 | 1
}

/** Undefined for a site that was never indexed, and for one that is forgotten: rows that are there all the same are left over. */
export function readStanding(sql: Sql, siteId: string): Standing | undefined {
  const row = sql.first<StandingRow>(
    'SELECT indexed_commit, position, next_commit, attempt, is_stored FROM sites WHERE site_id = ?',
    [siteId],
  )
  if (row === undefined) return undefined
  const { indexed_commit: commit, position, next_commit: next, attempt, is_stored: isStored } = row
  const isWhole = next === null || attempt === null
  return { commit, position, next: isWhole ? undefined : { commit: next, attempt, isStored: isStored === 1 } }
}

export function storeStanding(sql: Sql, siteId: string, { commit, position, next }: Standing): void {
  sql.run(
    `INSERT OR REPLACE INTO sites (site_id, indexed_commit, position, next_commit, attempt, is_stored)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [siteId, commit, position, next?.commit ?? null, next?.attempt ?? null, next?.isStored === true ? 1 : 0],
  )
}
