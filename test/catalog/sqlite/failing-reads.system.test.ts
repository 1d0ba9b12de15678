import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const SCRIPT = fileURLToPath(new URL('./read-rows.js', import.meta.url))
const ROWS = 2000
/** By then each read goes into memory that held another page of rows. */
const FAILING_READ = 60

describe('a database file', () => {
  const newFolder = useTemporaryFolders()
  let file: string

  before(() => {
    file = join(newFolder(), 'rows.db')
    const handle = openSqlite(file, { synchronous: 'NORMAL', journal: 'DELETE' })
    handle.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)')
    const insert = handle.prepare('INSERT INTO rows (text) VALUES (?)')
    handle.transact(() => {
      for (let row = 0; row < ROWS; row++) insert.run(['x'.repeat(200)])
    })
    handle.close()
  })

  function read(harm: readonly string[]): string {
    const args = ['-f', '-qq', '-P', file, '-e', 'trace=pread64', ...harm, '-o', '/dev/null']
    const { stdout } = spawnSync('strace', [...args, process.execPath, SCRIPT, file], { encoding: 'utf8' })
    return stdout.trim()
  }

  it('gives an error, and no rows, when the disk refuses a read', () => {
    assert.equal(read([]), String(ROWS))
    const said = read(['-e', `inject=pread64:error=EIO:when=${FAILING_READ}`])
    assert.match(said, /^SQLITE_(?:CORRUPT|IOERR)/)
  })
})
