// The file with the text of one site's pages and records, for search; the rows have another file. Each site has its own, so that other
// sites neither slow its searches nor change the order of its results. It can be deleted at any time, and is made again.

import type { SqliteHandle } from '../../catalog/sqlite/sqlite.js'
import { OpenFiles } from '../tables/open-files.js'
import { INDEX_SCHEMA } from '../tables/schema.js'
import { makeSiteFile, removeSiteFile, type SiteFile, siteFileOf } from '../tables/site-file.js'
import type { Sql } from '../tables/sql.js'

/** The rows are made from the index: a change of its schema makes these again too. */
const SCHEMA = INDEX_SCHEMA * 1_000 + 3

/*
 * `progress` has one row; text-progress.ts explains its columns. Words are indexed without their text; `pages` keeps the lines
 * deflated. store-links.ts explains targets and links. SQLite tokenizes nothing: words.ts has put a space between words.
 */
const TABLES = [
  `CREATE TABLE progress (
    target TEXT, target_position INTEGER NOT NULL, commit_oid TEXT, position INTEGER NOT NULL,
    page_changed INTEGER NOT NULL, page_id TEXT NOT NULL,
    record_changed INTEGER NOT NULL, collection_id TEXT NOT NULL, record_id TEXT NOT NULL, characters INTEGER NOT NULL
  ) STRICT`,
  "INSERT INTO progress VALUES (NULL, 0, NULL, 0, 0, '', 0, '', '', 0)",
  `CREATE TABLE pages (
    row_id INTEGER PRIMARY KEY, page_id TEXT NOT NULL UNIQUE, path TEXT NOT NULL, title TEXT, blob TEXT NOT NULL,
    text BLOB NOT NULL, characters INTEGER NOT NULL, left_out TEXT
  ) STRICT`,
  'CREATE INDEX pages_left_out ON pages (path) WHERE left_out IS NOT NULL',
  "CREATE VIRTUAL TABLE page_words USING fts5 (title, headings, body, content='', contentless_delete=1, tokenize='ascii')",
  `CREATE TABLE records (
    row_id INTEGER PRIMARY KEY, collection_id TEXT NOT NULL, record_id TEXT NOT NULL, characters INTEGER NOT NULL,
    UNIQUE (collection_id, record_id)
  ) STRICT`,
  "CREATE VIRTUAL TABLE record_words USING fts5 (collection, body, content='', contentless_delete=1, tokenize='ascii')",
  'CREATE TABLE targets (target_id INTEGER PRIMARY KEY, target TEXT NOT NULL UNIQUE, place TEXT) STRICT',
  'CREATE INDEX targets_by_place ON targets (place)',
  `CREATE TABLE links (
    target_id INTEGER NOT NULL, row_id INTEGER NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (target_id, row_id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX links_by_page ON links (row_id)',
  `PRAGMA user_version = ${SCHEMA}`,
]

/** Many sites have little text, so pages are small. */
const PAGE_BYTES = 1_024
const CACHE_KIBIBYTES = 4_000
const MAX_LOCK_WAIT_MS = 5_000

/** The texts of all sites, with the files that one thread has open. */
export class TextFiles {
  readonly #dataDir: string
  readonly #open: OpenFiles

  /** A reader creates and writes nothing; the indexer does. */
  constructor(dataDir: string, queryOnly = false) {
    this.#dataDir = dataDir
    const busyTimeout = MAX_LOCK_WAIT_MS
    this.#open = new OpenFiles({ isUsable: hasTables, queryOnly, busyTimeout, cacheKibibytes: CACHE_KIBIBYTES })
  }

  /** Opens the file; undefined if the site has none. Throws the driver's errors. */
  find(siteId: string): Sql | undefined {
    const file = this.#fileOf(siteId)
    this.#open.refresh(file)
    return this.#open.at(file)?.sql
  }

  /** Opens the file, and creates it if there is none. Throws the driver's errors. */
  open(siteId: string): Sql {
    const found = this.find(siteId)
    if (found !== undefined) return found
    makeSiteFile(this.#fileOf(siteId), PAGE_BYTES, makeTables)
    const made = this.find(siteId)
    if (made === undefined) throw new Error('A text file was removed as soon as it was made.')
    return made
  }

  remove(siteId: string): void {
    const file = this.#fileOf(siteId)
    this.#open.close(file)
    removeSiteFile(file)
  }

  /** Removes the file if the error says that it cannot be used. Returns whether it says so. */
  removeIfDamaged(siteId: string, error: unknown): boolean {
    return this.#open.removeIfDamaged(this.#fileOf(siteId), error)
  }

  close(): void {
    this.#open.closeAll()
  }

  #fileOf(siteId: string): SiteFile {
    return siteFileOf(this.#dataDir, siteId, 'text')
  }
}

function makeTables(handle: SqliteHandle): void {
  for (const statement of TABLES) handle.exec(statement)
}

function hasTables(sql: Sql): boolean {
  return sql.first<{ user_version: number }>('PRAGMA user_version', [])?.user_version === SCHEMA
}
