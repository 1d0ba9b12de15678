// The tables of the index. All rows are derived from git: a change here raises INDEX_SCHEMA, and every older file is
// removed and rebuilt.

import type { SqliteHandle } from '../../sqlite/sqlite.js'
import { prepareOn, type Sql } from './sql.js'

export const INDEX_SCHEMA = 12

/*
 * Times are commit times in seconds. `position` is the ordinal of a commit on its site's first-parent chain.
 * `maker` is who made a commit through the service, null for commits that it did not sign; `verified` whose signature it carries.
 * `dated_at` is a commit's time, null once a later commit claims an earlier one: so dates grow with positions.
 * A site's rows are of `indexed_commit`, unless a large commit is being taken in portions (portions.ts): then `next_commit`
 * is it, `attempt` and `is_stored` say how far that is, and `touched_paths` and `touched_pages` what is left to do.
 * `removals` holds the newest commit that removed each file.
 * `changed` is the position of the commit that last changed the row: what is derived from the rows follows it.
 * Rows of what went away stay, hidden (`gone`, or a null blob, definition or data): what comes back keeps its numbers and times.
 */
const TABLES = {
  sites: `CREATE TABLE sites (
    site_id TEXT PRIMARY KEY, indexed_commit TEXT, position INTEGER NOT NULL,
    next_commit TEXT, attempt TEXT, is_stored INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  commits: `CREATE TABLE commits (
    site_id TEXT, oid TEXT, position INTEGER NOT NULL, dated_at INTEGER, maker TEXT,
    verified TEXT NOT NULL,
    PRIMARY KEY (site_id, oid)
  ) STRICT, WITHOUT ROWID`,
  removals: `CREATE TABLE removals (
    site_id TEXT, tree_path TEXT, position INTEGER NOT NULL, PRIMARY KEY (site_id, tree_path)
  ) STRICT, WITHOUT ROWID`,
  page_files: `CREATE TABLE page_files (
    site_id TEXT, tree_path TEXT, path TEXT, derived_id TEXT, blob TEXT NOT NULL, size INTEGER NOT NULL,
    PRIMARY KEY (site_id, tree_path)
  ) STRICT, WITHOUT ROWID`,
  sidecars: `CREATE TABLE sidecars (
    site_id TEXT, page_id TEXT, path TEXT NOT NULL, tree_path TEXT NOT NULL, title TEXT, is_title_marked INTEGER NOT NULL,
    template_id TEXT,
    PRIMARY KEY (site_id, page_id)
  ) STRICT, WITHOUT ROWID`,
  pages: `CREATE TABLE pages (
    site_id TEXT, page_id TEXT, path TEXT NOT NULL, tree_path TEXT NOT NULL, title TEXT, title_is_set INTEGER NOT NULL,
    title_blob TEXT, template_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('published', 'unpublished', 'gone')),
    blob TEXT, size INTEGER NOT NULL,
    version_number INTEGER NOT NULL, version_commit TEXT NOT NULL, etag TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, folded_path TEXT NOT NULL, folded_title TEXT NOT NULL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (site_id, page_id)
  ) STRICT, WITHOUT ROWID`,
  versions: `CREATE TABLE versions (
    site_id TEXT, page_id TEXT, number INTEGER, commit_oid TEXT NOT NULL, action TEXT NOT NULL, author TEXT NOT NULL,
    message TEXT NOT NULL, path TEXT NOT NULL, blob TEXT, size INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (site_id, page_id, number)
  ) STRICT, WITHOUT ROWID`,
  files: `CREATE TABLE files (
    site_id TEXT, tree_path TEXT, folded_path TEXT NOT NULL, blob TEXT, size INTEGER NOT NULL,
    version_number INTEGER NOT NULL, version_commit TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (site_id, tree_path)
  ) STRICT, WITHOUT ROWID`,
  file_versions: `CREATE TABLE file_versions (
    site_id TEXT, tree_path TEXT, number INTEGER, commit_oid TEXT NOT NULL, blob TEXT, size INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (site_id, tree_path, number)
  ) STRICT, WITHOUT ROWID`,
  touched_paths: `CREATE TABLE touched_paths (
    site_id TEXT, tree_path TEXT, PRIMARY KEY (site_id, tree_path)
  ) STRICT, WITHOUT ROWID`,
  touched_pages: `CREATE TABLE touched_pages (
    site_id TEXT, page_id TEXT, is_edited INTEGER NOT NULL, PRIMARY KEY (site_id, page_id)
  ) STRICT, WITHOUT ROWID`,
  collections: `CREATE TABLE collections (
    site_id TEXT, collection_id TEXT, name TEXT NOT NULL, schema TEXT, definition TEXT, etag TEXT NOT NULL,
    position INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (site_id, collection_id)
  ) STRICT, WITHOUT ROWID`,
  records: `CREATE TABLE records (
    row_id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, collection_id TEXT NOT NULL, record_id TEXT NOT NULL,
    data TEXT, fields BLOB, etag TEXT NOT NULL,
    position INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, changed INTEGER NOT NULL,
    UNIQUE (site_id, collection_id, record_id)
  ) STRICT`,
  idempotency_keys: `CREATE TABLE idempotency_keys (
    site_id TEXT, key_hash TEXT, request_hash TEXT NOT NULL, commit_oid TEXT NOT NULL, time INTEGER NOT NULL,
    PRIMARY KEY (site_id, key_hash)
  ) STRICT, WITHOUT ROWID`,
}

const INDEXES = [
  'CREATE INDEX commits_by_date ON commits (site_id, dated_at, position)',
  'CREATE INDEX commits_by_position ON commits (site_id, position)',
  'CREATE INDEX commits_by_maker ON commits (site_id, maker, position) WHERE maker IS NOT NULL',
  'CREATE INDEX page_files_by_derived_id ON page_files (site_id, derived_id)',
  'CREATE INDEX sidecars_by_tree_path ON sidecars (site_id, tree_path, page_id)',
  'CREATE INDEX pages_by_id ON pages (page_id)',
  'CREATE INDEX pages_by_change ON pages (site_id, changed, page_id)',
  'CREATE INDEX pages_by_path ON pages (site_id, path)',
  'CREATE INDEX pages_by_status ON pages (site_id, status, path)',
  'CREATE INDEX pages_by_tree_path ON pages (site_id, tree_path)',
  'CREATE INDEX file_versions_by_blob ON file_versions (site_id, blob)',
  'CREATE INDEX versions_by_blob ON versions (site_id, blob)',
  'CREATE INDEX versions_by_commit ON versions (site_id, page_id, commit_oid)',
  'CREATE INDEX collections_by_position ON collections (site_id, position, collection_id)',
  'CREATE INDEX records_by_position ON records (site_id, collection_id, position, record_id)',
  'CREATE INDEX records_by_change ON records (site_id, changed, collection_id, record_id)',
]

/** `current`: usable; `empty`: to be filled; `older`: to be removed; `foreign`: to be set aside for the operator. */
type SchemaState = 'current' | 'empty' | 'older' | 'foreign'

/** Of one moment: another thread may be making the tables. */
export function readSchemaState(handle: SqliteHandle): SchemaState {
  const sql = prepareOn(handle)
  return sql.atOneMoment(() => schemaStateOf(sql))
}

function schemaStateOf(sql: Sql): SchemaState {
  const version = sql.first<{ user_version: number }>('PRAGMA user_version', [])?.user_version ?? 0
  const names = sql.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'", [])
  if (version === 0) return names.length === 0 ? 'empty' : 'foreign'
  if (version !== INDEX_SCHEMA) return version < INDEX_SCHEMA ? 'older' : 'foreign'
  const found = new Set(names.map(({ name }) => name))
  return Object.keys(TABLES).every((name) => found.has(name)) ? 'current' : 'foreign'
}

/** Creates the tables, unless another process did so first. */
export function createSchema(handle: SqliteHandle): void {
  handle.transact(() => {
    if (readSchemaState(handle) !== 'empty') return
    for (const statement of [...Object.values(TABLES), ...INDEXES]) handle.exec(statement)
    handle.exec(`PRAGMA user_version = ${INDEX_SCHEMA}`)
  })
}
