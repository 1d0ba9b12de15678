// Removes every row of a site from the index.

import type { Sql } from './sql.js'

const TABLES = [
  'sites',
  'commits',
  'page_files',
  'sidecars',
  'pages',
  'versions',
  'collections',
  'records',
  'idempotency_keys',
]

/** Must run in a transaction. */
export function forgetSite(sql: Sql, siteId: string): void {
  sql.run('DELETE FROM record_text WHERE rowid IN (SELECT row_id FROM records WHERE site_id = ?)', [siteId])
  for (const table of TABLES) sql.run(`DELETE FROM ${table} WHERE site_id = ?`, [siteId])
}
