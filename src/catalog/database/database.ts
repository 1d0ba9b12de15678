// Opens one of the service's databases: Kysely over the embedded driver, migrated to the newest schema.
// Several processes may open the same file at the same time; exactly one of them migrates it.

import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { openSqlite, type SqliteHandle, type SqliteOptions } from '../sqlite/sqlite.js'
import { sqliteCode } from '../sqlite/sqlite-errors.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { fromSql, SqliteCompiler } from './names.js'

/** A newer version of the program wrote the file. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}

export interface DatabaseOptions extends SqliteOptions {
  /** The SQL of migrations by name, run in the order of their names (`0001-…`). Published ones never change. */
  migrations: Readonly<Record<string, string>>
}

/** The result of a statement: the number of changed rows, and the rows of its RETURNING. */
export interface Written<Row> {
  readonly rows: readonly Row[]
  readonly count: number
}

/** A statement that Kysely has built. */
export interface Statement<Tables, Row> {
  compile(db: Kysely<Tables>): CompiledQuery<Row>
}

/**
 * Runs statements in order, all or none; durable when it resolves. The callback makes them for the database that is written:
 * `write((db) => [db.deleteFrom('links')])`.
 */
export type Write<Tables> = <Row = unknown>(
  statements: (db: Kysely<Tables>) => readonly Statement<Tables, Row>[],
) => Promise<Written<Row>[]>

/**
 * One connection with two ways to read: `db` for typed queries (asynchronous, as Kysely is), `prepare` for statements that must answer at
 * once. Rows have the names of code. Every change goes through `write`; no transaction awaits.
 */
export interface OpenDatabase<Tables> {
  readonly db: Kysely<Tables>
  readonly prepare: <Row>(sql: string) => SqliteStatement<Row>
  readonly write: Write<Tables>
  /** The connection itself: its rows have the names of SQL. */
  readonly sqlite: SqliteHandle
  readonly close: () => void
}

/** Opens and migrates. Throws the driver's error (see `sqliteCode`) for a damaged file, and NewerDatabase. */
// oxlint-disable-next-line typescript/require-await -- an error thrown by the driver becomes a rejection
export async function openDatabase<Tables>(file: string, options: DatabaseOptions): Promise<OpenDatabase<Tables>> {
  const sqlite = openSqlite(file, options)
  try {
    migrate(file, sqlite, Object.entries(options.migrations))
    return bindDatabase(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Opens a database that others migrate, without changing it. Throws the driver's error. */
export function openDatabaseToRead<Tables>(file: string, options: SqliteOptions): OpenDatabase<Tables> {
  return bindDatabase(openSqlite(file, { ...options, mustExist: true, queryOnly: true }))
}

function bindDatabase<Tables>(sqlite: SqliteHandle): OpenDatabase<Tables> {
  const prepare = <Row>(sql: string) => sqlite.prepare<Row>(sql, fromSql)
  const dialect = new SqliteDialect({ database: { prepare, close: () => sqlite.close() } })
  dialect.createQueryCompiler = () => new SqliteCompiler()
  const db = new Kysely<Tables>({ dialect })
  return { db, prepare, sqlite, write: writeTo(db, sqlite), close: () => sqlite.close() }
}

/** Lists the migrations that the file has, in order; none if it was just made. */
export function stepsOf(sqlite: SqliteHandle): string[] {
  const tables = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").all([])
  if (tables.length === 0) return []
  const rows = sqlite.prepare<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name').all([])
  return rows.map(({ name }) => name)
}

type Migration = readonly [name: string, sql: string]

/** The tables of Kysely's own migrator. Versions that use it can open the file again. */
const BOOKKEEPING = `
  create table if not exists "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
  create table if not exists "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
  insert or ignore into kysely_migration_lock (id) values ('migration_lock')`

/** Runs the missing migrations in one write transaction, which is also the lock: all or none, and by one process. */
function migrate(file: string, sqlite: SqliteHandle, migrations: readonly Migration[]): void {
  if (missingIn(file, sqlite, migrations).length === 0) return
  sqlite.transact(() => {
    sqlite.exec(BOOKKEEPING)
    const record = sqlite.prepare('INSERT INTO kysely_migration (name, timestamp) VALUES (?, ?)')
    for (const [name, sql] of missingIn(file, sqlite, migrations)) {
      sqlite.exec(sql)
      record.run([name, new Date().toISOString()])
    }
  })
}

/** Returns the migrations that the file lacks. Throws NewerDatabase if it has one that this program does not know. */
function missingIn(file: string, sqlite: SqliteHandle, migrations: readonly Migration[]): Migration[] {
  const steps = stepsOf(sqlite)
  const unknown = steps.find((step, at) => step !== migrations[at]?.[0])
  if (unknown === undefined) return migrations.slice(steps.length)
  throw new NewerDatabase(
    `A newer version of Palimpsest wrote ${file} (${unknown}): use that version. Nothing was changed.`,
  )
}

/** Returns a `Write` that runs all statements before it returns its promise: no other code of this thread comes in between. */
function writeTo<Tables>(db: Kysely<Tables>, sqlite: SqliteHandle): Write<Tables> {
  // oxlint-disable-next-line typescript/require-await -- an error thrown by a statement becomes a rejection
  return async (statements) => {
    const queries = statements(db).map((statement) => statement.compile(db))
    return sqlite.transact(() => queries.map((query) => run(sqlite, query)))
  }
}

function run<Row>(sqlite: SqliteHandle, { sql, parameters }: CompiledQuery<Row>): Written<Row> {
  const statement = sqlite.prepare<Row>(sql, fromSql)
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
