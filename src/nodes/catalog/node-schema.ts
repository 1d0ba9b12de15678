// The catalog's tables in PostgreSQL: those of `catalog.db` by the same names, and the record of every change to them, in the order
// of the transactions. A released step is never edited: add a new one.

import type { MigrationStep } from '../postgres/migrate.js'
import { BORROWED_KEYS, BORROWED_TABLES, OLD_WAYS } from './borrowed-schema.js'
import { PEOPLE_KEYS, PEOPLE_TABLES } from './people-schema.js'
import { VISITORS_ROWS } from './visitors-schema.js'

/** The first tables, and the columns that are the key of a row. */
const FIRST_KEYS = {
  workspaces: ['id'],
  sites: ['id'],
  api_keys: ['id'],
  grants: ['to_workspace_id', 'workspace_id'],
  idempotency_records: ['key_hash'],
  sign_in_links: ['hash'],
  sessions: ['id'],
  links: ['id'],
  withdrawals: ['site_id', 'blob'],
  pushes: ['rowid'],
  imports: ['id'],
  mirrors: ['site_id'],
} as const

const { passkey_challenges: _ofOlderNodes, ...peopleKeys } = PEOPLE_KEYS
/** All tables of the catalog, and the columns that are the key of a row. */
export const CATALOG_KEYS = { ...FIRST_KEYS, ...peopleKeys, ...BORROWED_KEYS } as const

/** Text is compared by its bytes, as in SQLite. A push has no key of its own: SQLite numbers its rows itself. */
const TABLES = `
  CREATE SCHEMA catalog;
  SET LOCAL search_path = catalog;
  CREATE DOMAIN words AS text COLLATE "C";
  CREATE TABLE workspaces (id words PRIMARY KEY, name words NOT NULL, default_site_id words, created_at words NOT NULL);
  CREATE TABLE sites (
    id words PRIMARY KEY, workspace_id words NOT NULL REFERENCES workspaces, slug words NOT NULL UNIQUE,
    state words NOT NULL CHECK (state IN ('creating', 'live', 'deleted')), created_at words NOT NULL,
    public_history integer NOT NULL DEFAULT 0, withdrawals integer NOT NULL DEFAULT 0, markdown integer NOT NULL DEFAULT 0,
    search integer NOT NULL DEFAULT 0, public_repository integer NOT NULL DEFAULT 0);
  CREATE TABLE api_keys (
    id words PRIMARY KEY, workspace_id words NOT NULL REFERENCES workspaces, label words NOT NULL, prefix words NOT NULL,
    hash words NOT NULL UNIQUE, scopes words NOT NULL, sites words, paths words, origins words, toolset words, expires_at words,
    revoked_at words, minted_by words, last_used_at words, created_at words NOT NULL);
  CREATE INDEX ON api_keys (workspace_id, minted_by);
  CREATE TABLE grants (
    workspace_id words NOT NULL REFERENCES workspaces, to_workspace_id words NOT NULL REFERENCES workspaces,
    scopes words NOT NULL, PRIMARY KEY (to_workspace_id, workspace_id));
  CREATE TABLE idempotency_records (
    key_hash words PRIMARY KEY, request_hash words NOT NULL, status integer NOT NULL, body words NOT NULL, created_at words NOT NULL);
  CREATE INDEX ON idempotency_records (created_at);
  CREATE TABLE sign_in_links (
    hash words PRIMARY KEY, workspace_id words NOT NULL REFERENCES workspaces, label words NOT NULL, expires_at words NOT NULL);
  CREATE TABLE sessions (
    id words PRIMARY KEY, hash words NOT NULL UNIQUE, workspace_id words NOT NULL REFERENCES workspaces, label words NOT NULL,
    expires_at words NOT NULL, created_at words NOT NULL);
  CREATE TABLE links (
    id words PRIMARY KEY, site_id words NOT NULL REFERENCES sites, commit_oid words NOT NULL, hash words NOT NULL,
    key_id words REFERENCES api_keys, author words NOT NULL, expires_at words NOT NULL, created_at words NOT NULL);
  CREATE INDEX ON links (site_id);
  CREATE TABLE withdrawals (
    site_id words NOT NULL REFERENCES sites, blob words NOT NULL, page_id words NOT NULL, commit_oid words NOT NULL,
    author words NOT NULL, withdrawn_at words NOT NULL, PRIMARY KEY (site_id, blob));
  CREATE TABLE pushes (
    rowid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, site_id words NOT NULL REFERENCES sites, before_oid words NOT NULL,
    after_oid words NOT NULL, maker words NOT NULL, author words NOT NULL, message words, pushed_at words NOT NULL);
  CREATE INDEX ON pushes (site_id, maker);
  CREATE TABLE imports (
    id words PRIMARY KEY, workspace_id words NOT NULL REFERENCES workspaces, slug words NOT NULL, url words NOT NULL,
    state words NOT NULL CHECK (state IN ('importing', 'done', 'failed')), site_id words, error words,
    warnings words NOT NULL DEFAULT '', created_at words NOT NULL);
  CREATE TABLE mirrors (
    site_id words PRIMARY KEY REFERENCES sites, url words NOT NULL, sealed_credentials words,
    state words NOT NULL CHECK (state IN ('ok', 'behind', 'diverged', 'failed', 'off')), remote_oid words, error words,
    failures integer NOT NULL, next_try_at bigint NOT NULL, ok_at words,
    tags words NOT NULL DEFAULT '');`

/**
 * `version` has one row. A transaction that changes anything updates it once, as its last act. The row's lock puts transactions in
 * the order in which they commit, without a gap. A sequence would not: a lower number may appear after a higher one. `mark` tells
 * apart two histories with the same numbers, after a standby that lacked the newest ones was promoted.
 */
const CHANGES = `
  CREATE TABLE version (version bigint NOT NULL, mark uuid NOT NULL);
  INSERT INTO version VALUES (0, gen_random_uuid());
  CREATE TABLE changes (
    version bigint NOT NULL, item bigint GENERATED ALWAYS AS IDENTITY, mark uuid NOT NULL, "table" text NOT NULL,
    key jsonb NOT NULL, "row" jsonb, PRIMARY KEY (version, item));

  CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SET search_path = catalog AS $$
  DECLARE
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
    key_before jsonb := (SELECT jsonb_object_agg(name, before -> name) FROM unnest(TG_ARGV) AS name WHERE before IS NOT NULL);
    key_after jsonb := (SELECT jsonb_object_agg(name, after -> name) FROM unnest(TG_ARGV) AS name WHERE after IS NOT NULL);
    required integer := (SELECT min_version.version FROM palimpsest.min_version);
    reached version%ROWTYPE;
  BEGIN
    IF nullif(current_setting('palimpsest.tables_version', true), '')::integer < required THEN
      RAISE 'this program is too old to write: the tables need version %', required;
    END IF;
    SELECT * INTO reached FROM version WHERE xmin = pg_current_xact_id()::xid;
    IF NOT FOUND THEN
      UPDATE version SET version = version.version + 1, mark = gen_random_uuid() RETURNING * INTO reached;
      IF reached.version % 1000 = 0 THEN
        DELETE FROM changes WHERE changes.version <= reached.version - 100000;
      END IF;
    END IF;
    IF key_before IS NOT NULL AND key_before IS DISTINCT FROM key_after THEN
      INSERT INTO changes (version, mark, "table", key) VALUES (reached.version, reached.mark, TG_TABLE_NAME, key_before);
    END IF;
    IF key_after IS NOT NULL THEN
      INSERT INTO changes (version, mark, "table", key, "row")
      VALUES (reached.version, reached.mark, TG_TABLE_NAME, key_after, after);
    END IF;
    RETURN NULL;
  END $$;`

function recordChanges(tables: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(tables).map(
    ([table, key]) => `
  CREATE CONSTRAINT TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON catalog.${table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION catalog.record_change(${key.map((name) => `'${name}'`).join(', ')});`,
  )
}

/** The quotas of single workspaces. */
const QUOTAS = `
  ALTER TABLE catalog.workspaces ADD COLUMN max_bytes bigint, ADD COLUMN max_pages bigint, ADD COLUMN max_sites bigint;`

/** Keys that are offered to another person. */
const HAND_OVERS = `
  ALTER TABLE catalog.api_keys ADD COLUMN offered_until words, ADD COLUMN offered_from words;`

export const CATALOG_STEPS: readonly MigrationStep[] = [
  { name: 'catalog-0001-tables-and-changes', sql: [TABLES, CHANGES, ...recordChanges(FIRST_KEYS)].join('\n') },
  { name: 'catalog-0002-quotas', sql: QUOTAS },
  { name: 'catalog-0003-people', sql: [PEOPLE_TABLES, ...recordChanges(PEOPLE_KEYS)].join('\n') },
  {
    name: 'catalog-0018-borrowed-ways-in',
    sql: [BORROWED_TABLES, ...recordChanges(BORROWED_KEYS), OLD_WAYS].join('\n'),
  },
  { name: 'catalog-0019-hand-overs', sql: HAND_OVERS.replaceAll(' words', ' catalog.words') },
  { name: 'catalog-0020-visitors-rows', sql: VISITORS_ROWS },
]
