// Reads all rows of a table, and prints their number, or the code of the error. `read-rows.js own|shared <file>`

import { openShared, openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../../src/catalog/sqlite/sqlite-errors.js'

const [kind, file = ''] = process.argv.slice(2)

/** Keeps few pages, so that each read soon goes into the memory of another page. */
const CACHE_KIBIBYTES = 20

function open() {
  if (kind === 'own') {
    const handle = openSqlite(file, { synchronous: 'NORMAL', mustExist: true })
    handle.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`)
    return handle
  }
  const handle = openShared({ busyTimeout: 0, cacheKibibytes: CACHE_KIBIBYTES })
  handle.attach(file)
  return handle
}

try {
  process.stdout.write(String(open().prepare('SELECT * FROM rows').all([]).length))
} catch (error) {
  process.stdout.write(String(sqliteCode(error)))
}
