// The catalog of a node: changes go to PostgreSQL, questions to the node's copy. A change is answered once PostgreSQL has committed
// it and the copy has it.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector } from 'kysely'
import type { Clock } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { CommitUnknown, DatabaseUnavailable, DatabaseUnfit, WritesUnsafe } from '../postgres/database-errors.js'
import type { Connections } from '../postgres/connections.js'
import { migrate } from '../postgres/migrate.js'
import { type Catalog, catalogOf } from '../../catalog/catalog.js'
import { CATALOG_COPY } from '../../catalog/catalog-file.js'
import { catalogMigrations } from '../../catalog/database/catalog-migrations.js'
import { openDatabase, type Statement, type Write, type Written } from '../../catalog/database/database.js'
import { fromSql, PostgresCompiler } from '../../catalog/database/names.js'
import type { CatalogTables } from '../../catalog/database/tables.js'
import { openSqlite } from '../../catalog/sqlite/sqlite.js'
import { CatalogCopy } from './catalog-copy.js'
import { CATALOG_STEPS } from './node-schema.js'

export interface NodeCatalog {
  catalog: Catalog
  /**
   * Resolves when the catalog has every change that any node had answered. Makes no query if it is already at that mark. Throws
   * `storage_failed` without PostgreSQL.
   */
  follow(mark?: string): Promise<void>
  /** Returns a mark that changes with the content of this copy. */
  mark(): string | undefined
}

/** Error of the tables for a program that a contract step has left behind (node-schema.ts). */
const TOO_OLD = /^this program is too old to write/
const UNREACHABLE = 'The database of the service cannot be reached. Try again.'
const NODE_TOO_OLD = 'This node is too old to write. Send the request to another node.'
const UNKNOWN = 'The connection to the database was lost: the change may have been made. Check before you try again.'

/** Opens the catalog; call it with the data directory's lock held. Throws DatabaseUnavailable and DatabaseUnfit. */
export async function openNodeCatalog(dataDir: string, connections: Connections, clock: Clock): Promise<NodeCatalog> {
  await migrate(connections, CATALOG_STEPS)
  const file = join(dataDir, CATALOG_COPY)
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  const options = { synchronous: 'NORMAL', foreignKeys: false } as const
  const database = await openDatabase<CatalogTables>(file, { ...options, migrations: catalogMigrations })
  const applying = openSqlite(file, options)
  const copy = new CatalogCopy(connections, applying)
  const close = () => {
    database.close()
    applying.close()
  }
  try {
    await copy.follow()
  } catch (error) {
    close()
    throw error
  }
  const write = writeTo(connections, copy)
  return {
    catalog: catalogOf({ ...database, write, close }, clock),
    mark: () => copy.mark,
    follow: (mark) => copy.follow(mark).catch((error: unknown) => Promise.reject(refusalOf(error))),
  }
}

function writeTo(connections: Connections, copy: CatalogCopy): Write<CatalogTables> {
  const db = makeCompiler()
  return async <Row>(statements: (to: Kysely<CatalogTables>) => readonly Statement<CatalogTables, Row>[]) => {
    const queries = statements(db).map((statement) => statement.compile(db))
    try {
      const written = await connections.transact(async (session) => {
        await session.query('SET LOCAL search_path = catalog')
        const results: Written<Row>[] = []
        for (const { sql, parameters } of queries) {
          const { rows, rowCount } = await session.query(sql, parameters.map(storable))
          results.push({ rows: rows.map(renamed) as Row[], count: rowCount ?? 0 })
        }
        return results
      })
      await copy.follow().catch((error: unknown) => {
        throw new CommitUnknown(error)
      })
      return written
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

/** Returns a Kysely that makes SQL for PostgreSQL and runs none. */
function makeCompiler(): Kysely<CatalogTables> {
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresCompiler(),
    },
  })
}

/** Returns the row with the names of code. */
function renamed(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [fromSql(column), value]))
}

/** Replaces U+0000, which PostgreSQL's text cannot hold, as SQLite's driver does. */
function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\uFFFD') : parameter
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Error && TOO_OLD.test(error.message))
    return Object.assign(new ServiceError('storage_failed', NODE_TOO_OLD), { cause: error })
  if (error instanceof WritesUnsafe)
    return Object.assign(new ServiceError('storage_failed', error.message), { cause: error })
  if (error instanceof CommitUnknown)
    return Object.assign(new ServiceError('outcome_unknown', UNKNOWN), { cause: error })
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseUnfit)
    return Object.assign(new ServiceError('storage_failed', UNREACHABLE), { cause: error })
  return error
}
