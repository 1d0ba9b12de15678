// Opens one of the service's databases: Kysely over the embedded driver, migrated to the newest schema.
// Several processes may open the same file at the same time; exactly one of them migrates it.

import { type CompiledQuery, Kysely, type Migration, Migrator, SqliteDialect } from 'kysely'
import { openSqlite, type SqliteHandle, type SqliteOptions } from '../sqlite/sqlite.js'
import { sqliteCode } from '../sqlite/sqlite-errors.js'

/** A newer version of the program wrote the file. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}

export interface DatabaseOptions extends SqliteOptions {
  /** Migrations by name, run in the order of their names (`0001-…`). Published ones never change. */
  migrations: Record<string, Migration>
}

/** The result of a statement: the number of changed rows, and the rows of its RETURNING. */
export interface Written<Row> {
  readonly rows: readonly Row[]
  readonly count: number
}

/**
 * Runs statements in order, all or none; durable when it resolves. The callback makes them for the database that is written:
 * `write((db) => [db.deleteFrom('links').compile()])`.
 */
export type Write<Tables> = <Row = unknown>(
  statements: (db: Kysely<Tables>) => readonly CompiledQuery<Row>[],
) => Promise<Written<Row>[]>

/**
 * One connection with two ways to read: `db` for typed queries (asynchronous, as Kysely is), `sqlite` for statements
 * that must answer at once. Every change goes through `write`; no transaction awaits.
 */
export interface OpenDatabase<Tables> {
  readonly db: Kysely<Tables>
  readonly sqlite: SqliteHandle
  readonly write: Write<Tables>
  close(): void
}

/** Opens and migrates. Throws the driver's error (see `sqliteCode`) for a damaged file, and NewerDatabase. */
export async function openDatabase<Tables>(file: string, options: DatabaseOptions): Promise<OpenDatabase<Tables>> {
  const sqlite = openSqlite(file, options)
  try {
    refuseNewer(file, stepsOf(sqlite), options.migrations)
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
    await migrate(db, sqlite, options.migrations)
    return { db, sqlite, write: writeTo(db, sqlite), close: () => sqlite.close() }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function refuseNewer(file: string, steps: readonly string[], migrations: Record<string, Migration>): void {
  const unknown = steps.find((step) => !(step in migrations))
  if (unknown === undefined) return
  throw new NewerDatabase(
    `A newer version of Palimpsest wrote ${file} (${unknown}): use that version. Nothing was changed.`,
  )
}

/** Opens a database that others migrate, without changing it. Throws the driver's error. */
export function openDatabaseToRead<Tables>(file: string, options: SqliteOptions): OpenDatabase<Tables> {
  const sqlite = openSqlite(file, { ...options, mustExist: true, queryOnly: true })
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  return { db, sqlite, write: writeTo(db, sqlite), close: () => sqlite.close() }
}

/** Lists the migrations that the file has, in order; none if it was just made. */
export function stepsOf(sqlite: SqliteHandle): string[] {
  const tables = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").all([])
  if (tables.length === 0) return []
  const rows = sqlite.prepare<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name').all([])
  return rows.map(({ name }) => name)
}

/** Returns a `Write` that runs all statements before it returns its promise: no other code of this thread comes in between. */
function writeTo<Tables>(db: Kysely<Tables>, sqlite: SqliteHandle): Write<Tables> {
  // oxlint-disable-next-line typescript/require-await -- an error thrown by a statement becomes a rejection
  return async (statements) => {
    const queries = statements(db)
    return sqlite.transact(() => queries.map((query) => run(sqlite, query)))
  }
}

function run<Row>(sqlite: SqliteHandle, { sql, parameters }: CompiledQuery<Row>): Written<Row> {
  const statement = sqlite.prepare<Row>(sql)
  if (!statement.reader) return { rows: [], count: statement.run(parameters).changes }
  const rows = statement.all(parameters)
  return { rows, count: rows.length }
}

/** PostgreSQL's SQLSTATE for unique_violation. */
const UNIQUE_VIOLATION = '23505'

/** Whether the database refused a row because another row has its key. */
export function isTaken(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return true
  return /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(sqliteCode(error) ?? '')
}

/** Migrates in one write transaction, which is also the lock: Kysely takes none on SQLite. The whole step is all or nothing. */
async function migrate<Tables>(db: Kysely<Tables>, sqlite: SqliteHandle, migrations: Record<string, Migration>) {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const pending = (await migrator.getMigrations()).some((migration) => migration.executedAt === undefined)
  if (pending) sqlite.exec('BEGIN IMMEDIATE')
  // With nothing pending this only reads: it refuses a file that has migrations unknown to this code.
  const { error } = await migrator.migrateToLatest()
  if (sqlite.inTransaction) sqlite.exec(error === undefined ? 'COMMIT' : 'ROLLBACK')
  if (error !== undefined) throw error
}
