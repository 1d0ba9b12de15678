// Opens one of the service's databases: Kysely over the embedded driver, migrated to the newest schema.
// Several processes may open the same file at the same moment; exactly one of them migrates it.

import { type CompiledQuery, Kysely, type Migration, Migrator, SqliteDialect } from 'kysely'
import { openSqlite, sqliteCode, type SqliteHandle, type SqliteOptions } from '../sqlite/sqlite.js'

export interface DatabaseOptions extends SqliteOptions {
  /** By name, run in the order of their names (`0001-…`). Published ones never change. */
  migrations: Record<string, Migration>
}

/** What a statement changed, and the rows of its RETURNING. */
export interface Written<Row> {
  readonly rows: readonly Row[]
  readonly count: number
}

/**
 * Runs statements in order, all or none; durable when it resolves. They are made for the database that they are written to:
 * `write((db) => [db.deleteFrom('links').compile()])`.
 */
export type Write<Tables> = <Row = unknown>(
  statements: (db: Kysely<Tables>) => readonly CompiledQuery<Row>[],
) => Promise<Written<Row>[]>

/**
 * One connection, two ways to read: `db` for typed queries (asynchronous by Kysely's shape), `sqlite` for the statements
 * that must answer at once. Every change goes through `write`, in no transaction that awaits.
 */
export interface OpenDatabase<Tables> {
  readonly db: Kysely<Tables>
  readonly sqlite: SqliteHandle
  readonly write: Write<Tables>
  close(): void
}

/** Throws the driver's error (see `sqliteCode`) for a damaged file, and Kysely's for a file of a newer version than this code. */
export async function openDatabase<Tables>(file: string, options: DatabaseOptions): Promise<OpenDatabase<Tables>> {
  const sqlite = openSqlite(file, options)
  try {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
    await migrate(db, sqlite, options.migrations)
    return { db, sqlite, write: writeTo(db, sqlite), close: () => sqlite.close() }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Changes nothing, and is migrated by others. Throws the driver's error. */
export function openDatabaseToRead<Tables>(file: string, options: SqliteOptions): OpenDatabase<Tables> {
  const sqlite = openSqlite(file, { ...options, mustExist: true, queryOnly: true })
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  return { db, sqlite, write: writeTo(db, sqlite), close: () => sqlite.close() }
}

/** The migrations that the file has, in their order; none where it was just made. */
export function stepsOf(sqlite: SqliteHandle): string[] {
  const tables = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").all([])
  if (tables.length === 0) return []
  const rows = sqlite.prepare<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name').all([])
  return rows.map(({ name }) => name)
}

/** The statements are run before this returns its promise: nothing of this thread comes in between. */
function writeTo<Tables>(db: Kysely<Tables>, sqlite: SqliteHandle): Write<Tables> {
  // oxlint-disable-next-line typescript/require-await -- what a statement throws rejects
  return async (statements) => {
    const queries = statements(db)
    return sqlite.transact(() => queries.map((query) => run(sqlite, query)))
  }
}

function run<Row>(sqlite: SqliteHandle, { sql, parameters }: CompiledQuery<Row>): Written<Row> {
  const statement = sqlite.prepare<Row>(sql)
  if (!statement.reader) return { rows: [], count: Number(statement.run(parameters).changes) }
  const rows = statement.all(parameters)
  return { rows, count: rows.length }
}

/** PostgreSQL's SQLSTATE for unique_violation. */
const UNIQUE_VIOLATION = '23505'

/** Whether the database refused a row because another one has its key. */
export function isTaken(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return true
  return /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(sqliteCode(error) ?? '')
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
