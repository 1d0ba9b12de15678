// Reads all rows of a table, and prints their number, or the code of the error. `read-rows.js <file>`

import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../../src/catalog/sqlite/sqlite-errors.js'

const [file = ''] = process.argv.slice(2)

/** Keeps few pages, so that each read soon goes into the memory of another page. */
const cacheKibibytes = 20

try {
  const handle = openSqlite(file, { synchronous: 'NORMAL', mustExist: true, cacheKibibytes })
  process.stdout.write(String(handle.prepare('SELECT * FROM rows').all([]).length))
} catch (error) {
  process.stdout.write(String(sqliteCode(error)))
}
