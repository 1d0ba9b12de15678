import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const MEBIBYTE = 1024 * 1024
const ROWS = 20

describe("a database's log", () => {
  const makeFolder = useTemporaryFolders()

  it('shrinks after a long read', () => {
    const file = join(makeFolder(), 'own.db')
    const handle = openSqlite(file, { synchronous: 'NORMAL' })
    handle.exec('CREATE TABLE texts (text BLOB)')
    grow(handle, file)
    handle.close()
  })
})

/** Writes much while another connection reads, then a little. */
function grow(handle: SqliteHandle, file: string): void {
  const reader = openSqlite(file, { synchronous: 'NORMAL', mustExist: true })
  reader.exec('BEGIN; SELECT count(*) FROM texts')
  for (let row = 0; row < ROWS; row++) handle.exec(`INSERT INTO texts VALUES (randomblob(${MEBIBYTE}))`)
  assert.ok(statSync(`${file}-wal`).size > ROWS * MEBIBYTE, 'the read keeps the log')
  reader.exec('COMMIT')
  reader.close()
  // The first copies the log into the file, the second begins it anew.
  for (let row = 0; row < 2; row++) handle.exec("INSERT INTO texts VALUES ('')")
  assert.ok(statSync(`${file}-wal`).size <= 4 * MEBIBYTE)
}
