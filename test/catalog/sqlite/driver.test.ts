import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../../src/catalog/sqlite/sqlite-errors.js'
import { sqliteVersion } from '../../../src/catalog/sqlite/sqlite-version.js'
import { useTemporaryFolders } from '../temporary-folder.js'

/** The releases with the fix of a lost log (sqlite.org/wal.html, "The WAL-Reset Bug"), by their branch; 3.52.0 was withdrawn. */
const FIXED_PATCH: Readonly<Record<number, number>> = { 44: 6, 50: 7, 51: 3 }

function hasFix(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major === 3 && (minor >= 53 || patch >= (FIXED_PATCH[minor] ?? Infinity))
}

describe('the SQLite driver', () => {
  const newFolder = useTemporaryFolders()
  const open = (file = join(newFolder(), 'rows.db')) => openSqlite(file, { synchronous: 'NORMAL', busyTimeout: 0 })

  function made(): SqliteHandle {
    const sqlite = open()
    sqlite.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT UNIQUE); INSERT INTO rows VALUES (1, 'one')")
    return sqlite
  }

  it('has the fix of the bug by which two connections can lose what a third has committed', () => {
    for (const [version, expected] of [
      ['3.45.1', false],
      ['3.51.2', false],
      ['3.51.3', true],
      ['3.50.7', true],
      ['3.53.0', true],
    ] as const)
      assert.equal(hasFix(version), expected, version)
    assert.ok(hasFix(sqliteVersion()), sqliteVersion())
  })

  it('has what the service asks of SQLite: full text without content, JSON and strict tables', () => {
    const sqlite = made()
    sqlite.exec(`CREATE VIRTUAL TABLE words USING fts5 (body, content='', contentless_delete=1, tokenize='ascii');
      CREATE TABLE strict_rows (id INTEGER PRIMARY KEY) STRICT`)
    const query = "SELECT json_extract('{\"a\":[1,2]}', '$.a[1]') AS value, count(*) AS rows FROM json_each('[1,2,3]')"
    assert.deepEqual(sqlite.prepare(query).all([]), [{ value: 2, rows: 3 }])
    sqlite.close()
  })

  it('frees the descriptors at close, while statements are still referred to', () => {
    const file = join(newFolder(), 'rows.db')
    const handles = Array.from({ length: 5 }, () => open(file))
    const statements = handles.map((sqlite) =>
      sqlite.prepare<{ rows: number }>('SELECT count(*) AS rows FROM sqlite_schema'),
    )
    for (const statement of statements) assert.deepEqual(statement.all([]), [{ rows: 0 }])
    assert.ok(descriptorsOf(file) >= 5)
    for (const sqlite of handles) sqlite.close()
    assert.equal(descriptorsOf(file), 0)
    for (const statement of statements) assert.throws(() => statement.all([]), /finalized/)
  })

  it('rolls back at close, and closes once', () => {
    const file = join(newFolder(), 'rows.db')
    const sqlite = open(file)
    sqlite.exec('CREATE TABLE rows (id INTEGER)')
    sqlite.exec('BEGIN IMMEDIATE; INSERT INTO rows VALUES (1)')
    sqlite.close()
    sqlite.close()
    assert.equal(sqlite.inTransaction, false)
    const again = open(file)
    assert.deepEqual(again.prepare('SELECT * FROM rows').all([]), [])
    again.close()
  })

  for (const way of ['all', 'first', 'run'] as const) {
    it(`names the codes of SQLite's errors, by ${way}`, () => {
      const sqlite = made()
      const insert = sqlite.prepare('INSERT INTO rows VALUES (?, ?) RETURNING id')
      assert.equal(
        codeOf(() => insert[way]([2, 'one'])),
        'SQLITE_CONSTRAINT_UNIQUE',
      )
      assert.equal(
        codeOf(() => insert[way]([1, 'two'])),
        'SQLITE_CONSTRAINT_PRIMARYKEY',
      )
      sqlite.exec('PRAGMA query_only = ON')
      assert.equal(
        codeOf(() => insert[way]([2, 'two'])),
        'SQLITE_READONLY',
      )
      sqlite.close()
    })

    it(`names the code of a lock that another connection holds, by ${way}`, () => {
      const file = join(newFolder(), 'rows.db')
      const [holder, other] = [open(file), open(file)]
      holder.exec('CREATE TABLE rows (id INTEGER)')
      const insert = other.prepare('INSERT INTO rows VALUES (1) RETURNING id')
      holder.exec('BEGIN IMMEDIATE')
      assert.equal(
        codeOf(() => insert[way]([])),
        'SQLITE_BUSY',
      )
      holder.close()
      other.close()
    })
  }

  it('names the code of a full disk, and refuses as one', () => {
    const sqlite = made()
    const pages = sqlite.prepare<{ page_count: number }>('PRAGMA page_count').first([])?.page_count
    sqlite.exec(`PRAGMA max_page_count = ${pages}`)
    const insert = sqlite.prepare('INSERT INTO rows (name) VALUES (?)')
    const refused = { code: 'storage_full' }
    assert.throws(() => insert.run(['x'.repeat(100_000)]), refused)
    assert.equal(
      codeOf(() => insert.run(['x'.repeat(100_000)])),
      'SQLITE_FULL',
    )
    sqlite.close()
  })

  it('names the codes of a file that is missing, and of one that is no database', () => {
    const file = join(newFolder(), 'rows.db')
    assert.equal(
      codeOf(() => openSqlite(file, { synchronous: 'NORMAL', mustExist: true })),
      'SQLITE_CANTOPEN',
    )
    writeFileSync(file, 'no database\n'.repeat(1000))
    assert.equal(
      codeOf(() => open(file)),
      'SQLITE_NOTADB',
    )
    assert.equal(descriptorsOf(file), 0)
  })

  it('answers ordinary rows, and bytes as Uint8Array', () => {
    const sqlite = made()
    const query = sqlite.prepare('SELECT ? AS bytes, ? AS text, ? AS number, ? AS empty')
    const given = [new Uint8Array([0, 255]), 'a\0\u{D800}b', 1e13, null]
    const row = { bytes: given[0], text: 'a\uFFFD\uFFFDb', number: 1e13, empty: null }
    assert.deepEqual(query.first(given), row)
    assert.deepEqual(query.all(given), [row])
    assert.deepEqual(query.first([Buffer.from([0, 255]), '', 0, null]), { ...row, text: '', number: 0 })
    sqlite.close()
  })

  it('runs statements whose last row has a number past 2^53, as those of full text have', () => {
    const sqlite = open()
    sqlite.exec(
      "CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO rows VALUES (9007199254740992, 'first')",
    )
    assert.equal(sqlite.prepare("INSERT INTO rows (name) VALUES ('next')").run([]).changes, 1)
    sqlite.exec("CREATE VIRTUAL TABLE words USING fts5(text, content='')")
    const add = sqlite.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
    const remove = sqlite.prepare("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)")
    for (let id = 1; id <= 200; id++) add.run([id, `some text ${id}`])
    for (let id = 1; id <= 200; id++) remove.run([id, `some text ${id}`])
    assert.deepEqual(sqlite.prepare("SELECT rowid FROM words WHERE words MATCH 'text'").all([]), [])
    sqlite.close()
  })

  it('refuses parameters that SQLite has no type for', () => {
    const sqlite = made()
    const find = sqlite.prepare('SELECT ? AS value')
    for (const parameter of [undefined, true, {}, []]) assert.throws(() => find.all([parameter]), TypeError)
    sqlite.close()
  })

  it('opens files whose names have any character', () => {
    const file = join(newFolder(), "a b%20c?d#e'f&g=ü.db")
    open(file).close()
    assert.deepEqual(readdirSync(join(file, '..')), ["a b%20c?d#e'f&g=ü.db"])
  })
})

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return sqliteCode(error)
  }
  return undefined
}

/** The number of descriptors of this process that are open on the file or its log. */
function descriptorsOf(file: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => isOpenOn(descriptor, file)).length
}

function isOpenOn(descriptor: string, file: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(file)
  } catch {
    // It was closed in between.
    return false
  }
}
