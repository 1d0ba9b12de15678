// The tables of the sites' logs in PostgreSQL: each step is taken once, in this order, and never changed afterwards.

import type { MigrationStep } from '../postgres/migrate.js'

export const LOG_STEPS: readonly MigrationStep[] = [
  {
    name: 'log-0001-sites-entries-pieces',
    sql: `
      create schema log;

      -- A site's head, the number of its last entry, and who may move it. head is null once the site is retired.
      create table log.sites (
        site uuid primary key,
        head text,
        entries bigint not null,
        -- Batches that were found not to be in the log, and that may never enter it.
        barred uuid[] not null default '{}',
        holder uuid,
        held_until timestamptz
      );

      -- Moves of a ref, numbered from 1 without a gap. old is null where the ref was made, new where it was taken away.
      create table log.entries (
        site uuid not null,
        number bigint not null,
        batch uuid not null unique,
        ref text not null,
        old text,
        new text,
        -- [{"id": checksum, "bytes": of the pack, "indexBytes": of its index}]
        packs jsonb not null,
        time bigint not null,
        message text not null,
        primary key (site, number)
      );
      create index entries_by_head on log.entries (site, new);

      -- The bytes of a batch's packs, each followed by those of its index.
      create table log.pieces (
        batch uuid not null,
        pack integer not null,
        number integer not null,
        bytes bytea not null,
        primary key (batch, pack, number)
      );
      -- Packs are compressed already.
      alter table log.pieces alter column bytes set storage external;

      -- Batches whose pieces are sent before their entry.
      create table log.staged (
        batch uuid primary key,
        since timestamptz not null default clock_timestamp()
      );
    `,
  },
  {
    name: 'log-0002-changed',
    sql: `
      alter table log.sites add column changed xid8 not null default pg_current_xact_id();
      create index sites_by_change on log.sites (changed);
    `,
  },
  {
    name: 'log-0003-keys',
    sql: `
      -- Hashes of the idempotency keys of entries, with the time of the entry in seconds.
      create table log.keys (hash text primary key, time bigint not null);
    `,
  },
  {
    name: 'log-0004-tags',
    sql: `
      -- Of all tags of a site (markOfTags).
      alter table log.sites add column tags text not null default '';
      create table log.tags (site uuid not null, name text not null, oid text not null, primary key (site, name));
      -- [{"ref", "before", "after"}] of an entry that moves tags; null in the others.
      alter table log.entries add column changes jsonb;
    `,
  },
  {
    name: 'log-0005-min-version',
    sql: `
      -- As catalog.record_change does: programs that a contract step has left behind write no more.
      create function log.refuse_old_program() returns trigger language plpgsql as $$
      declare
        required integer := (select version from palimpsest.min_version);
      begin
        if nullif(current_setting('palimpsest.tables_version', true), '')::integer < required then
          raise 'this program is too old to write: the tables need version %', required;
        end if;
        return null;
      end $$;
      create trigger refuse_old_program before insert on log.entries for each statement execute function log.refuse_old_program();
    `,
  },
  {
    name: 'log-0006-requests',
    sql: `
      -- The log of a change request has its id as \`site\`. This is the site whose main it forks from; null for a site.
      alter table log.sites add column request_of uuid;
      create index sites_by_request on log.sites (request_of) where request_of is not null;
    `,
  },
]
