import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { catalogMigrations } from '../../../src/catalog/database/catalog-migrations.js'
import { openDatabase } from '../../../src/catalog/database/database.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../temporary-folder.js'
import { EXPECTED, OLD_ROWS } from './old-ways.js'

describe('a catalog from before the links of owners were bound', () => {
  const makeFolder = useTemporaryFolders()

  it('opens with what may come of such a link bound to its workspace, and links to the past with their makers', async () => {
    const folder = makeFolder()
    const file = join(folder, 'catalog.db')
    const steps = Object.entries(catalogMigrations).filter(([name]) => name < '0018')
    const old = await openDatabase(file, { synchronous: 'FULL', migrations: Object.fromEntries(steps) })
    for (const { table, row } of OLD_ROWS)
      old.sqlite
        .prepare(
          `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
            .map(() => '?')
            .join(', ')})`,
        )
        .run(Object.values(row))
    old.close()
    await (await openCatalog(folder)).close()
    const now = openSqlite(file, { synchronous: 'FULL', mustExist: true, queryOnly: true })
    for (const [query, rows] of Object.entries(EXPECTED))
      assert.deepEqual(
        now
          .prepare<object>(query)
          .all([])
          .map((row) => Object.values(row).map(sorted)),
        rows,
        query,
      )
    now.close()
  })
})

/** Puts the words of a list in order: databases join them in any. */
function sorted(value: unknown): unknown {
  return typeof value === 'string' && /^o\d( o\d)*$/.test(value) ? value.split(' ').toSorted().join(' ') : value
}
