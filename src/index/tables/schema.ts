// The tables of a site's index. All rows are derived from git. A change here raises INDEX_SCHEMA; files with another schema are
// removed and built again.

import type { SqliteHandle } from '../../catalog/sqlite/sqlite.js'
import type { Sql } from './sql.js'

export const INDEX_SCHEMA = 18

/*
 * Times are commit times in seconds. `position` is the ordinal of a commit on its site's first-parent chain.
 * `maker` is the principal that made a commit through the service, null if the service did not sign it.
 * `verified` says whose signature the commit carries.
 * `dated_at` is a commit's time, null once a later commit claims an earlier time: so dates grow with positions.
 * `indexed` has one row with the commit that all rows describe; none before the first.
 * `removals` holds the newest commit that removed each file.
 * `head_blob` is the document that a page's title, `robots` and `canonical` are from. No list uses `title_key` yet.
 * `fields`, `folded`, `instants` and `sort_keys` are the forms of `data` that filters and sorts compare. `folded` is null for ASCII alone.
 * `changed` is the position of the commit that last changed the row: data derived from the rows follows it.
 * Rows of removed things stay, hidden (`gone`, or a null blob, definition or data), so that a return keeps its numbers and times.
 */
const TABLES = {
  indexed: `CREATE TABLE indexed (
    row INTEGER PRIMARY KEY CHECK (row = 1), commit_oid TEXT NOT NULL, position INTEGER NOT NULL
  ) STRICT`,
  commits: `CREATE TABLE commits (
    oid TEXT, position INTEGER NOT NULL, dated_at INTEGER, author TEXT NOT NULL, maker TEXT,
    verified TEXT NOT NULL,
    PRIMARY KEY (oid)
  ) STRICT, WITHOUT ROWID`,
  removals: `CREATE TABLE removals (
    tree_path TEXT, position INTEGER NOT NULL, PRIMARY KEY (tree_path)
  ) STRICT, WITHOUT ROWID`,
  page_files: `CREATE TABLE page_files (
    tree_path TEXT, path TEXT, derived_id TEXT, blob TEXT NOT NULL, size INTEGER NOT NULL,
    PRIMARY KEY (tree_path)
  ) STRICT, WITHOUT ROWID`,
  sidecars: `CREATE TABLE sidecars (
    page_id TEXT, path TEXT NOT NULL, tree_path TEXT NOT NULL, title TEXT, is_title_marked INTEGER NOT NULL,
    template_id TEXT,
    PRIMARY KEY (page_id)
  ) STRICT, WITHOUT ROWID`,
  pages: `CREATE TABLE pages (
    page_id TEXT, path TEXT NOT NULL, tree_path TEXT NOT NULL, title TEXT, title_is_set INTEGER NOT NULL,
    head_blob TEXT, robots TEXT, canonical TEXT, template_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('published', 'unpublished', 'gone')),
    blob TEXT, size INTEGER NOT NULL,
    version_number INTEGER NOT NULL, version_commit TEXT NOT NULL, etag TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, folded_path TEXT NOT NULL, folded_title TEXT NOT NULL,
    title_key TEXT NOT NULL, changed INTEGER NOT NULL,
    PRIMARY KEY (page_id)
  ) STRICT, WITHOUT ROWID`,
  versions: `CREATE TABLE versions (
    page_id TEXT, number INTEGER, commit_oid TEXT NOT NULL, action TEXT NOT NULL, author TEXT NOT NULL,
    message TEXT NOT NULL, path TEXT NOT NULL, blob TEXT, size INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (page_id, number)
  ) STRICT, WITHOUT ROWID`,
  files: `CREATE TABLE files (
    tree_path TEXT, folded_path TEXT NOT NULL, blob TEXT, size INTEGER NOT NULL,
    version_number INTEGER NOT NULL, version_commit TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tree_path)
  ) STRICT, WITHOUT ROWID`,
  file_versions: `CREATE TABLE file_versions (
    tree_path TEXT, number INTEGER, commit_oid TEXT NOT NULL, blob TEXT, size INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tree_path, number)
  ) STRICT, WITHOUT ROWID`,
  collections: `CREATE TABLE collections (
    collection_id TEXT, name TEXT NOT NULL, schema TEXT, definition TEXT, etag TEXT NOT NULL,
    position INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (collection_id)
  ) STRICT, WITHOUT ROWID`,
  records: `CREATE TABLE records (
    row_id INTEGER PRIMARY KEY, collection_id TEXT NOT NULL, record_id TEXT NOT NULL,
    data TEXT, fields BLOB, folded BLOB, instants BLOB, sort_keys BLOB, etag TEXT NOT NULL,
    position INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, changed INTEGER NOT NULL,
    UNIQUE (collection_id, record_id)
  ) STRICT`,
  idempotency_keys: `CREATE TABLE idempotency_keys (
    key_hash TEXT, request_hash TEXT NOT NULL, commit_oid TEXT NOT NULL, time INTEGER NOT NULL,
    PRIMARY KEY (key_hash)
  ) STRICT, WITHOUT ROWID`,
}

const INDEXES = [
  'CREATE INDEX commits_by_date ON commits (dated_at, position)',
  'CREATE INDEX commits_by_position ON commits (position)',
  'CREATE INDEX commits_by_author ON commits (author, position)',
  'CREATE INDEX commits_by_maker ON commits (maker, position) WHERE maker IS NOT NULL',
  'CREATE INDEX page_files_by_derived_id ON page_files (derived_id)',
  'CREATE INDEX sidecars_by_tree_path ON sidecars (tree_path, page_id)',
  'CREATE INDEX pages_by_change ON pages (changed, page_id)',
  'CREATE INDEX pages_by_path ON pages (path)',
  'CREATE INDEX pages_by_status ON pages (status, path)',
  'CREATE INDEX pages_by_tree_path ON pages (tree_path)',
  'CREATE INDEX file_versions_by_blob ON file_versions (blob)',
  'CREATE INDEX versions_by_blob ON versions (blob)',
  'CREATE INDEX versions_by_commit ON versions (page_id, commit_oid)',
  'CREATE INDEX collections_by_position ON collections (position, collection_id)',
  'CREATE INDEX records_by_position ON records (collection_id, position, record_id)',
  'CREATE INDEX records_by_change ON records (changed, collection_id, record_id)',
]

/** Whether the attached file has these tables. The file may be of any version, or not made by this program. */
export function hasSchema(sql: Sql): boolean {
  const version = sql.first<{ user_version: number }>('PRAGMA user_version', [])?.user_version
  if (version !== INDEX_SCHEMA) return false
  const names = sql.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'", [])
  const found = new Set(names.map(({ name }) => name))
  return Object.keys(TABLES).every((name) => found.has(name))
}

/** Creates the tables in an empty file. */
export function createSchema(handle: SqliteHandle): void {
  for (const statement of [...Object.values(TABLES), ...INDEXES]) handle.exec(statement)
  handle.exec(`PRAGMA user_version = ${INDEX_SCHEMA}`)
}
