// Removes all that the index knows of a site. The index position goes first: rows without one are leftovers of an
// interrupted removal, and are removed before anything is built on them.

import type { Sql, Transact } from './tables/sql.js'
import { IndexMoved, readPosition } from './tables/index-position.js'

/** Every table but that of positions, with the key of its rows within a site. */
const KEYS = {
  commits: 'oid',
  removals: 'tree_path',
  page_files: 'tree_path',
  sidecars: 'page_id',
  pages: 'page_id',
  versions: 'page_id, number',
  files: 'tree_path',
  file_versions: 'tree_path, number',
  touched_paths: 'tree_path',
  touched_pages: 'page_id',
  collections: 'collection_id',
  idempotency_keys: 'key_hash',
  records: 'row_id',
} as const
/** Rows removed in one transaction: some 5 ms. */
const MAX_REMOVED_ROWS = 250

/** Ends early where another thread or process begins to index the site again. */
export function* forgetInPortions(transact: Transact, siteId: string): Generator<undefined, void> {
  transact((sql) => sql.run('DELETE FROM sites WHERE site_id = ?', [siteId]))
  yield* clearInPortions(transact, siteId)
}

/** Removes leftover rows of a site that has no index position. */
export function* clearInPortions(transact: Transact, siteId: string): Generator<undefined, void> {
  while (!transact((sql) => readPosition(sql, siteId) !== undefined || removeSome(sql, siteId))) yield
}

/** Throws `IndexMoved` where the site has leftover rows. For a site without an index position, before its first one is stored. */
export function assertCleared(sql: Sql, siteId: string): void {
  for (const table of Object.keys(KEYS)) {
    const left = sql.first(`SELECT 1 AS found FROM ${table} WHERE site_id = ? LIMIT 1`, [siteId])
    if (left !== undefined) throw new IndexMoved('Rows of the forgotten site are left over.')
  }
}

/** True when nothing is left. */
function removeSome(sql: Sql, siteId: string): boolean {
  let room = MAX_REMOVED_ROWS
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
