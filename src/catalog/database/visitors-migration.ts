// The step that bounds the rows of people without an account in catalog.db: all such rows lie in one table, and say from where they were
// asked for.

import type { Kysely } from 'kysely'

export async function addVisitorsRows(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('oauth_items').addColumn('asked_from', 'text').execute()
  await db.schema.alterTable('oauth_items').addColumn('made_at', 'integer').execute()
  await db.schema
    .createIndex('oauth_items_by_asked_from')
    .on('oauth_items')
    .columns(['asked_from', 'made_at'])
    .where('asked_from', 'is not', null)
    .execute()
  await db.schema.alterTable('agents').addColumn('device', 'text').execute()
  // Questions to passkeys lie in oauth_items now. Those that were open are asked again.
  await db.schema.dropTable('passkey_challenges').execute()
}
