import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../temporary-folder.js'

describe('a prepared statement', () => {
  const newFolder = useTemporaryFolders()
  let sqlite: SqliteHandle

  beforeEach(() => {
    sqlite = openSqlite(join(newFolder(), 'rows.db'), { synchronous: 'NORMAL' })
    sqlite.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO rows VALUES (1, 'one'), (2, 'two')")
  })
  afterEach(() => sqlite.close())

  for (const way of ['first', 'all', 'run'] as const) {
    it(`answers for its own parameters after one that failed, by ${way}`, () => {
      const insert = sqlite.prepare<{ id: number }>('INSERT INTO rows VALUES (?, ?) RETURNING id')
      assert.throws(() => insert[way]([1, 'taken']), { code: /^SQLITE_CONSTRAINT/ })
      insert[way]([3, 'three'])
      assert.throws(() => insert[way]([2, 'taken']), { code: /^SQLITE_CONSTRAINT/ })
      insert[way]([4, 'four'])
      const names = sqlite.prepare<{ name: string }>('SELECT name FROM rows ORDER BY id').all([])
      assert.deepEqual(
        names.map(({ name }) => name),
        ['one', 'two', 'three', 'four'],
      )
    })
  }

  it('answers for its own parameters after an error while it was read', () => {
    const find = sqlite.prepare<{ name: string }>("SELECT name, iif(?, json('no JSON'), 0) FROM rows WHERE id = ?")
    assert.throws(() => find.first([1, 1]), { code: 'SQLITE_ERROR' })
    assert.equal(find.first([0, 2])?.name, 'two')
  })
})
