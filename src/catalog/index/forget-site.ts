// Removes all that the index knows of a site. The standing goes first: what is there without one is left over from an end
// in between, and goes before anything is built on it.

import type { Sql, Transact } from './tables/sql.js'
import { IndexMoved, readStanding } from './tables/standing.js'

/** Every table but those of standings and records, with the keys of its rows within a site. */
const KEYS = {
  commits: 'oid',
  page_files: 'tree_path',
  sidecars: 'page_id',
  pages: 'page_id',
  versions: 'page_id, number',
  touched_paths: 'tree_path',
  touched_pages: 'page_id',
  collections: 'collection_id',
  idempotency_keys: 'key_hash',
} as const
/** Rows in one transaction. */
const MOST_REMOVED = 1_000

/** Ends early when somebody begins to index the site anew. */
export function* forgetInPortions(transact: Transact, siteId: string): Generator<undefined, void> {
  transact((sql) => sql.run('DELETE FROM sites WHERE site_id = ?', [siteId]))
  yield* clearInPortions(transact, siteId)
}

/** Removes what is left over of a site that has no standing. */
export function* clearInPortions(transact: Transact, siteId: string): Generator<undefined, void> {
  while (!transact((sql) => readStanding(sql, siteId) !== undefined || removeSome(sql, siteId))) yield
}

/** Throws `IndexMoved` where there are rows all the same: to be called for a site without a standing, before the first is stored. */
export function assertCleared(sql: Sql, siteId: string): void {
  for (const table of ['records', ...Object.keys(KEYS)]) {
    const left = sql.first(`SELECT 1 AS found FROM ${table} WHERE site_id = ? LIMIT 1`, [siteId])
    if (left !== undefined) throw new IndexMoved('Rows are left over of what was forgotten.')
  }
}

/** True when nothing is left. */
function removeSome(sql: Sql, siteId: string): boolean {
  let room = MOST_REMOVED - removeRecords(sql, siteId)
  for (const [table, key] of Object.entries(KEYS)) {
    if (room <= 0) return false
    room -= sql.all(
      `DELETE FROM ${table} WHERE site_id = ?
       AND (${key}) IN (SELECT ${key} FROM ${table} WHERE site_id = ? LIMIT ?) RETURNING 1 AS removed`,
      [siteId, siteId, room],
    ).length
  }
  return room > 0
}

function removeRecords(sql: Sql, siteId: string): number {
  const rows = sql.all<{ row_id: number }>('SELECT row_id FROM records WHERE site_id = ? LIMIT ?', [
    siteId,
    MOST_REMOVED,
  ])
  for (const { row_id } of rows) {
    sql.run('DELETE FROM record_text WHERE rowid = ?', [row_id])
    sql.run('DELETE FROM records WHERE row_id = ?', [row_id])
  }
  return rows.length
}
