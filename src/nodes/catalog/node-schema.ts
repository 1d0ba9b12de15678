// The catalog's tables in PostgreSQL, made from the same list as those of `catalog.db`. Every change to them is recorded, in the order of
// the transactions. A released step is never edited: add a new one.

import { STEPS } from '../../catalog/database/catalog-migrations.js'
import { keysOf, makeTables, POSTGRES } from '../../catalog/database/ddl.js'
import type { MigrationStep } from '../postgres/migrate.js'

const { passkey_challenges: _ofOlderNodes, ...keys } = keysOf()
/** All tables of the catalog, and the columns that are the key of a row. */
export const CATALOG_KEYS: Readonly<Record<string, readonly string[]>> = keys

/** Text is compared by its bytes, as in SQLite. */
const SCHEMA = ['CREATE SCHEMA catalog', 'CREATE DOMAIN catalog.words AS text COLLATE "C"']

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
  END $$`

/** Returns the statements for what the steps add. Rows are changed after them: a table with unrecorded changes cannot be altered. */
function tablesOf(first: number, last = first): string[] {
  const recorded = Object.entries(keysOf(first, last)).map(
    ([table, key]) => `
  CREATE CONSTRAINT TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON ${table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION record_change(${key.map((name) => `'${name}'`).join(', ')})`,
  )
  return [...makeTables(POSTGRES, first, last), ...recorded]
}

function step(name: string, statements: readonly string[], before: readonly string[] = []): MigrationStep {
  return { name, sql: [...before, 'SET LOCAL search_path = catalog', ...statements].join(';\n') }
}

/** The number of the first step that has one name in both databases. */
const FIRST_SHARED = 18

export const CATALOG_STEPS: readonly MigrationStep[] = [
  step('catalog-0001-tables-and-changes', [CHANGES, ...tablesOf(1, 15)], SCHEMA),
  step('catalog-0002-quotas', tablesOf(16)),
  step('catalog-0003-people', tablesOf(17)),
  ...STEPS.slice(FIRST_SHARED - 1).map(({ name, besides }, at) =>
    step(`catalog-${name}`, [...tablesOf(FIRST_SHARED + at), ...(besides?.(POSTGRES) ?? [])]),
  ),
]
