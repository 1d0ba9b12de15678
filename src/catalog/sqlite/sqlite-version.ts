// The version of SQLite that the driver contains.

import { DatabaseSync } from '@photostructure/sqlite'

let known: string | undefined

/** Returns it as SQLite gives it: `3.53.4`. */
export function sqliteVersion(): string {
  known ??= readVersion()
  return known
}

function readVersion(): string {
  const connection = new DatabaseSync(':memory:', { returnArrays: true })
  try {
    return String(connection.prepare('SELECT sqlite_version()').get())
  } finally {
    connection.close()
  }
}
