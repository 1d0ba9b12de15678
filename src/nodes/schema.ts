// The tables about the nodes themselves in PostgreSQL: steps that run once each, in this order, and never change afterwards.

import type { MigrationStep } from './postgres/migrate.js'

export const NODE_STEPS: readonly MigrationStep[] = [
  {
    name: 'nodes-0001-address-version',
    sql: `
      -- Where the other nodes of earlier versions reach it; null where nothing is to be sent to it.
      alter table palimpsest.nodes add column address text;
      -- Of its program.
      alter table palimpsest.nodes add column version text;
    `,
  },
  {
    name: 'nodes-0002-signers',
    sql: `
      -- Public keys that sign, or signed, the service's commits.
      create table palimpsest.signers (
        -- The 32 bytes of ed25519 in base64url.
        key text primary key,
        -- The node that told of it first, for operators.
        node text not null,
        told_at timestamptz not null default clock_timestamp(),
        -- Commits of a later second do not count; null while it signs.
        until bigint
      );
    `,
  },
  {
    name: 'nodes-0003-number',
    sql: `
      -- What tells it from the others, as its operator numbered them.
      alter table palimpsest.nodes add column number integer;
    `,
  },
]
