// Stores the links between pages of a site in its text file. A target is stored once, even if many pages link to it.

import type { SqlValue, Sql } from '../tables/sql.js'

export interface StoredLink {
  /** Path of the URL as it is written, percent-encoded. */
  target: string
  /** The common part of all URLs of the same page or file; null for a URL that can lead to neither. */
  place: string | null
  /** Line of the first such link in the document, from 1. */
  line: number
}

/** Replaces the links of a page. Their targets must differ. */
export function storeLinks(sql: Sql, rowId: number, links: readonly StoredLink[]): void {
  const before = sql.all<{ target_id: number }>('SELECT target_id FROM links WHERE row_id = ?', [rowId])
  sql.run('DELETE FROM links WHERE row_id = ?', [rowId])
  for (const { target, place, line } of links) {
    const targetId = idOf(sql, 'SELECT target_id FROM targets WHERE target = ?', [target])
    const known =
      targetId ?? idOf(sql, 'INSERT INTO targets (target, place) VALUES (?, ?) RETURNING target_id', [target, place])
    sql.run('INSERT INTO links (target_id, row_id, line) VALUES (?, ?, ?)', [known ?? null, rowId, line])
  }
  for (const { target_id } of before) {
    const unused =
      'DELETE FROM targets WHERE target_id = ? AND NOT EXISTS (SELECT 1 FROM links WHERE links.target_id = targets.target_id)'
    sql.run(unused, [target_id])
  }
}

function idOf(sql: Sql, query: string, values: readonly SqlValue[]): number | undefined {
  return sql.first<{ target_id: number }>(query, values)?.target_id
}
