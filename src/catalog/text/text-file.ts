// The file that holds the text of one site's pages and records, to be searched: `text/<first 2 digits of the site's id>/<id>.db`. Each site
// has its own, so that nothing of another site makes its searches slower or orders their results otherwise. Like the index it can be
// deleted at any time, and is made again.

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { identityOf } from '../sqlite/file-identity.js'
import { openSqlite, type SqliteHandle } from '../sqlite/sqlite.js'
import { INDEX_SCHEMA } from '../index/tables/schema.js'
import { prepareOn, type Sql } from '../index/tables/sql.js'

/** The rows are made from the index: a change there makes these anew too. */
const SCHEMA = INDEX_SCHEMA * 1_000 + 2

/*
 * `progress` has one row, whose columns text-progress.ts explains. Words are stored without their text, whose lines `pages` keeps
 * deflated. store-links.ts explains targets and links. Tokenized here is nothing: words.ts has put a space between two words.
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
const OPTIONS = { synchronous: 'NORMAL', cacheKibibytes: 4_000, pageBytes: 1_024 } as const

export function textFileOf(dataDir: string, siteId: string): string {
  return join(dataDir, 'text', siteId.slice(0, 2), `${siteId}.db`)
}

export function removeTextFile(dataDir: string, siteId: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${textFileOf(dataDir, siteId)}${end}`, { force: true })
}

export class TextFile {
  readonly sql: Sql
  readonly #path: string
  readonly #handle: SqliteHandle
  readonly #identity: string | undefined

  /** Opens the file, or makes it where there is none or one of another version. Throws the driver's error for a damaged one. */
  constructor(dataDir: string, siteId: string) {
    this.#path = textFileOf(dataDir, siteId)
    mkdirSync(dirname(this.#path), { recursive: true })
    // A log without its file belongs to a deleted one: it would be replayed into the new file.
    if (!existsSync(this.#path)) removeTextFile(dataDir, siteId)
    this.#handle = openCurrent(this.#path, false) ?? openAnew(dataDir, siteId)
    this.#identity = identityOf(this.#path)
    this.sql = prepareOn(this.#handle)
  }

  /** False once another file is at the path, or none. */
  get isInPlace(): boolean {
    return this.#identity !== undefined && this.#identity === identityOf(this.#path)
  }

  close(): void {
    this.#handle.close()
  }
}

/**
 * Opens the file to be read, and makes and removes nothing: only who fills it does. Undefined for a file of another version; throws the
 * driver's error where there is none.
 */
export function openTextToRead(dataDir: string, siteId: string): SqliteHandle | undefined {
  return openCurrent(textFileOf(dataDir, siteId), true)
}

/** Undefined for a file of another version. One without tables is given them unless it must exist. */
function openCurrent(path: string, mustExist: boolean): SqliteHandle | undefined {
  const handle = openSqlite(path, { ...OPTIONS, mustExist })
  try {
    // Only where there are no tables yet: a search must not wait for who writes.
    if (!mustExist && versionOf(handle) === 0) makeTables(handle)
    if (versionOf(handle) === SCHEMA) return handle
    handle.close()
    return undefined
  } catch (error) {
    handle.close()
    throw error
  }
}

function makeTables(handle: SqliteHandle): void {
  handle.transact(() => {
    if (versionOf(handle) === 0) for (const statement of TABLES) handle.exec(statement)
  })
}

function openAnew(dataDir: string, siteId: string): SqliteHandle {
  removeTextFile(dataDir, siteId)
  const handle = openCurrent(textFileOf(dataDir, siteId), false)
  if (handle === undefined) throw new Error('A text file that was just made has another version.')
  return handle
}

function versionOf(handle: SqliteHandle): number {
  return handle.prepare<{ user_version: number }>('PRAGMA user_version').all([])[0]?.user_version ?? 0
}
