// Bounds the rows that people without an account can make. They all lie in `oauth_items`, and say from where they were asked for.

import { type Kysely, sql } from 'kysely'
import { MAX_UNFINISHED_ROWS } from '../../admission/unfinished-rows.js'
import type { Statement } from './database.js'
import type { CatalogTables } from './tables.js'

/** A transaction adds one row. Where several nodes added at the same moment, the next ones bring their number down again. */
const DELETED_AT_ONCE = 2

/**
 * Returns the statements that must come before a new row. They delete what has expired. For an unfinished row at the bound, they also
 * delete the oldest unfinished rows of the network that has the most.
 */
export function makeRoom(
  db: Kysely<CatalogTables>,
  now: number,
  askedFrom: string | null,
): Statement<CatalogTables, unknown>[] {
  const expired = db.deleteFrom('oauthItems').where('expiresAt', '<=', now)
  if (askedFrom === null) return [expired]
  const oldest = sql`
    DELETE FROM oauth_items WHERE (kind, hash) IN (
      SELECT kind, hash FROM oauth_items
      WHERE asked_from = (
        SELECT asked_from FROM oauth_items
        WHERE asked_from IS NOT NULL
        AND (SELECT count(*) FROM oauth_items WHERE asked_from IS NOT NULL) >= ${sql.lit(MAX_UNFINISHED_ROWS)}
        GROUP BY asked_from ORDER BY count(*) DESC, min(made_at) LIMIT 1)
      ORDER BY made_at LIMIT ${sql.lit(DELETED_AT_ONCE)})`
  return [expired, oldest]
}
