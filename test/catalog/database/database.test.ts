import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isTaken, openDatabase } from '../../../src/catalog/database/database.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../../src/catalog/sqlite/sqlite-errors.js'
import { useTemporaryFolders } from '../temporary-folder.js'

interface Tables {
  notes: { text: string | null }
}

const MAKE_NOTES = 'CREATE TABLE notes (text TEXT UNIQUE)'

describe('a database', () => {
  const makeFolder = useTemporaryFolders()

  it('is created with the newest schema and keeps its rows', async () => {
    const file = join(makeFolder(), 'a.db')
    const first = await openDatabase<Tables>(file, { synchronous: 'FULL', migrations: { '0001': MAKE_NOTES } })
    await first.db.insertInto('notes').values({ text: 'kept' }).execute()
    first.close()
    const again = await openDatabase<Tables>(file, { synchronous: 'FULL', migrations: { '0001': MAKE_NOTES } })
    assert.deepEqual(await again.db.selectFrom('notes').selectAll().execute(), [{ text: 'kept' }])
    again.close()
  })

  it('syncs as asked, in WAL mode, with foreign keys on', async () => {
    for (const [synchronous, level] of [
      ['FULL', 2],
      ['NORMAL', 1],
    ] as const) {
      const database = await openDatabase(join(makeFolder(), 'a.db'), { synchronous, migrations: {} })
      const { sqlite } = database
      assert.deepEqual(sqlite.prepare('PRAGMA synchronous').all([]), [{ synchronous: level }])
      assert.deepEqual(sqlite.prepare('PRAGMA journal_mode').all([]), [{ journal_mode: 'wal' }])
      assert.deepEqual(sqlite.prepare('PRAGMA foreign_keys').all([]), [{ foreign_keys: 1 }])
      assert.deepEqual(sqlite.prepare('PRAGMA busy_timeout').all([]), [{ timeout: 5000 }])
      database.close()
    }
  })

  it('stays as it was before when a migration fails half way', async () => {
    const file = join(makeFolder(), 'a.db')
    const failing = 'CREATE TABLE half (text TEXT); SELECT the_second_half_is_missing'
    const migrations = { '0001': MAKE_NOTES, '0002': failing }
    await assert.rejects(openDatabase(file, { synchronous: 'FULL', migrations }), /second_half/)
    const sqlite = openSqlite(file, { synchronous: 'FULL' })
    const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE name IN ('notes', 'half')").all([])
    assert.deepEqual(tables, [])
    sqlite.close()
  })

  it('is refused when its schema is of a newer version', async () => {
    const file = join(makeFolder(), 'a.db')
    const newer = { '0001': MAKE_NOTES, '0002': '' }
    const database = await openDatabase(file, { synchronous: 'FULL', migrations: newer })
    database.close()
    await assert.rejects(openDatabase(file, { synchronous: 'FULL', migrations: { '0001': MAKE_NOTES } }), /0002/)
  })

  it('reports a full disk as storage_full, and goes on once there is room', () => {
    const sqlite = openSqlite(join(makeFolder(), 'a.db'), { synchronous: 'FULL' })
    sqlite.exec('CREATE TABLE notes (text TEXT); PRAGMA max_page_count = 3')
    const insert = sqlite.prepare('INSERT INTO notes VALUES (?)')
    const text = 'long '.repeat(10_000)
    assert.throws(() => insert.run([text]), { name: 'ServiceError', code: 'storage_full' })
    assert.throws(() => sqlite.transact(() => insert.run([text])), { name: 'ServiceError', code: 'storage_full' })
    sqlite.exec('PRAGMA max_page_count = 1000')
    insert.run([text])
    assert.deepEqual(sqlite.prepare('SELECT count(*) AS count FROM notes').all([]), [{ count: 1 }])
    sqlite.close()
  })

  it('keeps all statements of one write, or none', async () => {
    const file = join(makeFolder(), 'a.db')
    const { db, sqlite, write } = await openDatabase<Tables>(file, {
      synchronous: 'FULL',
      migrations: { '0001': MAKE_NOTES },
    })
    const insert = (text: string) => db.insertInto('notes').values({ text })
    assert.deepEqual(await write(() => [insert('a'), db.deleteFrom('notes').returningAll()]), [
      { rows: [], count: 1 },
      { rows: [{ text: 'a' }], count: 1 },
    ])
    await assert.rejects(
      write(() => [insert('b'), insert('c'), insert('b')]),
      isTaken,
    )
    assert.deepEqual(sqlite.prepare('SELECT * FROM notes').all([]), [])
    sqlite.close()
  })

  it('is refused with the code of SQLite when the file is not a database', async () => {
    const file = join(makeFolder(), 'a.db')
    writeFileSync(file, 'surely not a database '.repeat(100))
    await assert.rejects(openDatabase(file, { synchronous: 'FULL', migrations: {} }), (error) => {
      assert.equal(sqliteCode(error), 'SQLITE_NOTADB')
      return true
    })
  })

  it('is migrated once by processes that open it at the same moment', async () => {
    const file = join(makeFolder(), 'catalog.db')
    const module = new URL('../../../src/catalog/catalog.js', import.meta.url).href
    const script = `const { openCatalog } = await import(${JSON.stringify(module)})
      const catalog = await openCatalog(process.argv[1])
      await catalog.workspaces.create({ id: process.argv[2], name: 'w', createdAt: '2026-11-21T10:00:00Z' })
      await catalog.close()`
    const run = promisify(execFile)
    const args = ['--input-type=module', '--eval', script, '--', join(file, '..')]
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => run(process.execPath, [...args, id])))
    const sqlite = openSqlite(file, { synchronous: 'FULL' })
    assert.equal(sqlite.prepare('SELECT * FROM workspaces').all([]).length, 4)
    sqlite.close()
  })
})

describe('a statement', () => {
  const makeFolder = useTemporaryFolders()

  it('accepts a single null, big numbers and any text as parameters', () => {
    const sqlite = openSqlite(join(makeFolder(), 'a.db'), { synchronous: 'NORMAL' })
    const echo = sqlite.prepare('SELECT ? AS value')
    assert.deepEqual(echo.all([null]), [{ value: null }])
    assert.deepEqual(echo.all([2 ** 40]), [{ value: 2 ** 40 }])
    assert.deepEqual(echo.all(['demo\u0000é']), [{ value: 'demo\uFFFDé' }])
    assert.deepEqual(echo.all(['\uD800x']), [{ value: '\uFFFDx' }])
    sqlite.close()
  })

  it('refuses a parameter that would end the process', () => {
    const sqlite = openSqlite(join(makeFolder(), 'a.db'), { synchronous: 'NORMAL' })
    const echo = sqlite.prepare('SELECT ? AS value')
    for (const parameter of [true, undefined, {}, [], 1n]) assert.throws(() => echo.all([parameter]), TypeError)
    sqlite.close()
  })

  it('sees what another connection has committed since it was prepared', () => {
    const file = join(makeFolder(), 'a.db')
    const writer = openSqlite(file, { synchronous: 'NORMAL' })
    writer.exec('CREATE TABLE notes (text TEXT)')
    const reader = openSqlite(file, { synchronous: 'NORMAL' })
    const count = reader.prepare('SELECT count(*) AS n FROM notes')
    for (let written = 0; written < 3; written++) {
      assert.deepEqual(count.all([]), [{ n: written }])
      writer.exec("INSERT INTO notes VALUES ('x')")
    }
    reader.close()
    writer.close()
  })

  it('reads and answers every row, at the sizes where the driver fetches again', () => {
    const sqlite = openSqlite(join(makeFolder(), 'a.db'), { synchronous: 'NORMAL' })
    const numbers = sqlite.prepare<{ n: number }>(
      'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < ?) SELECT n FROM r',
    )
    for (const size of [1, 99, 100, 101, 200, 1000]) assert.equal(numbers.all([size]).length, size)
    sqlite.close()
  })

  it('rolls everything back when a transaction throws', () => {
    const sqlite = openSqlite(join(makeFolder(), 'a.db'), { synchronous: 'NORMAL' })
    sqlite.exec('CREATE TABLE notes (text TEXT UNIQUE)')
    const insert = sqlite.prepare('INSERT INTO notes VALUES (?)')
    const twice = () =>
      sqlite.transact(() => {
        insert.run(['one'])
        insert.run(['one'])
      })
    assert.throws(twice, (error) => sqliteCode(error) === 'SQLITE_CONSTRAINT_UNIQUE')
    assert.equal(sqlite.inTransaction, false)
    assert.deepEqual(sqlite.prepare('SELECT * FROM notes').all([]), [])
    assert.equal(
      sqlite.transact(() => insert.run(['one']).changes),
      1,
    )
    sqlite.close()
  })

  it('answers only the first row for the parameters of the call, after any earlier call, and holds no snapshot', () => {
    const file = join(makeFolder(), 'a.db')
    const [one, other] = [openSqlite(file, { synchronous: 'NORMAL' }), openSqlite(file, { synchronous: 'NORMAL' })]
    one.exec('CREATE TABLE notes (id INTEGER, text TEXT)')
    for (let id = 0; id < 9; id++) one.prepare('INSERT INTO notes VALUES (?, ?)').run([id, `note ${id}`])
    const from = one.prepare<{ id: number; text: string }>('SELECT id, text FROM notes WHERE id >= ? ORDER BY id')
    for (const id of [5, 3, 8]) {
      assert.deepEqual(from.first([id]), { id, text: `note ${id}` })
      assert.equal(from.all([id - 1]).length, 10 - id)
      assert.equal(from.first([9]), undefined)
    }
    from.first([0])
    other.exec("INSERT INTO notes VALUES (9, 'late')")
    const checkpoint = other.prepare<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
    assert.equal(checkpoint.first([])?.busy, 0)
    assert.deepEqual(from.first([9]), { id: 9, text: 'late' })
    for (const handle of [one, other]) handle.close()
  })
})
