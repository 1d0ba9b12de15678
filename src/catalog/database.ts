// Opens one of the service's databases: Kysely over the embedded driver, migrated to the newest schema.
// Several processes may open the same file at the same moment; exactly one of them migrates it.

import { Kysely, type Migration, Migrator, SqliteDialect } from 'kysely'
import { openSqlite, type SqliteHandle, type SqliteOptions } from './sqlite/sqlite.js'

export interface DatabaseOptions extends SqliteOptions {
  /** By name, run in the order of their names (`0001-…`). Published ones never change. */
  migrations: Record<string, Migration>
}

/**
 * One connection, two ways to it: `db` for typed queries (asynchronous by Kysely's shape), `sqlite` for the statements
 * that must answer at once. Both see the same transaction, so nothing may await while one is open.
 */
export interface OpenDatabase<Tables> {
  readonly db: Kysely<Tables>
  readonly sqlite: SqliteHandle
  close(): void
}

/** Throws the driver's error (see `sqliteCode`) for a damaged file, and Kysely's for a file of a newer version than this code. */
export async function openDatabase<Tables>(file: string, options: DatabaseOptions): Promise<OpenDatabase<Tables>> {
  const sqlite = openSqlite(file, options)
  try {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
    await migrate(db, sqlite, options.migrations)
    return { db, sqlite, close: () => sqlite.close() }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Kysely takes no lock of its own on SQLite: the write transaction is the lock, and makes the whole step all or nothing. */
async function migrate<Tables>(db: Kysely<Tables>, sqlite: SqliteHandle, migrations: Record<string, Migration>) {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const pending = (await migrator.getMigrations()).some((migration) => migration.executedAt === undefined)
  if (pending) sqlite.exec('BEGIN IMMEDIATE')
  // With nothing pending this only reads: it refuses a file that has migrations unknown to this code.
  const { error } = await migrator.migrateToLatest()
  if (sqlite.inTransaction) sqlite.exec(error === undefined ? 'COMMIT' : 'ROLLBACK')
  if (error !== undefined) throw error
}
