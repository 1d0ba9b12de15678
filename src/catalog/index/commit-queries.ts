// The commits of a site: those on main's first-parent chain, and no others.

import type { CommitFacts } from '../../model/facts.js'
import type { Sql } from './tables/sql.js'

/** Must run in a transaction. One commit with a wrong clock takes a date away from itself or its forerunners, from no later one. */
export function applyCommit(sql: Sql, siteId: string, { oid, time }: CommitFacts, position: number): void {
  sql.run('UPDATE commits SET dated_at = NULL WHERE site_id = ? AND dated_at > ?', [siteId, time])
  sql.run('INSERT INTO commits (site_id, oid, position, dated_at) VALUES (?, ?, ?, ?)', [siteId, oid, position, time])
}

/** The commits whose ids begin with `prefix` (hex, lower case): two of them at the most. */
export function findCommits(sql: Sql, siteId: string, prefix: string): string[] {
  // `g` follows every hexadecimal digit.
  return sql
    .all<{ oid: string }>('SELECT oid FROM commits WHERE site_id = ? AND oid >= ? AND oid < ? LIMIT 2', [
      siteId,
      prefix,
      `${prefix}g`,
    ])
    .map(({ oid }) => oid)
}

/** The newest commit that is not later than a time in seconds; the oldest for times before it. */
export function findCommitAsOf(sql: Sql, siteId: string, time: number): string | undefined {
  const found =
    sql.first<{ oid: string }>(
      'SELECT oid FROM commits WHERE site_id = ? AND dated_at <= ? ORDER BY dated_at DESC, position DESC LIMIT 1',
      [siteId, time],
    ) ??
    sql.first<{ oid: string }>(
      'SELECT oid FROM commits WHERE site_id = ? AND dated_at IS NOT NULL ORDER BY dated_at, position LIMIT 1',
      [siteId],
    )
  return found?.oid
}
