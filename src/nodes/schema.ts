// What PostgreSQL holds of the nodes themselves: steps that are taken once each, in this order, and never changed afterwards.

import type { MigrationStep } from '../postgres/migrate.js'

export const NODE_STEPS: readonly MigrationStep[] = [
  {
    name: 'nodes-0001-address-version',
    sql: `
      -- Where the other nodes reach it, as host:port; null where nothing is to be sent to it.
      alter table palimpsest.nodes add column address text;
      -- Of its program.
      alter table palimpsest.nodes add column version text;
    `,
  },
]
