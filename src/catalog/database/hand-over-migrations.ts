// The step that adds keys offered to another person to catalog.db.

import type { Kysely } from 'kysely'

/** Adds until when a key is an offer, and who had it. */
export async function addHandOvers(db: Kysely<unknown>): Promise<void> {
  for (const column of ['offered_until', 'offered_from'])
    await db.schema.alterTable('api_keys').addColumn(column, 'text').execute()
}
