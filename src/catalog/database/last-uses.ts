// The times at which keys and agents were last used.

import { type RawBuilder, sql } from 'kysely'

/** Returns the statements that store the times by id. They never move a time back. */
export function recordUses(table: 'apiKeys' | 'agents', lastUses: ReadonlyMap<string, string>): RawBuilder<unknown>[] {
  return Array.from(
    lastUses,
    ([id, at]) => sql`
    UPDATE ${sql.table(table)} SET last_used_at = ${at} WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${at})`,
  )
}
