// The subjects of the bench: our handle, and the driver before it as the handle used that.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'

export interface Subject {
  /** Reads one row by its key. */
  point(row: number): void
  dataVersion(): void
  /** Reads 1,000 rows. */
  many(): void
  /** Prepares the statement of `point`. */
  prepare(): void
  /** Changes one row in a transaction. */
  write(row: number): void
  close(): void
}

export type Open = (file: string, synchronous: 'FULL' | 'NORMAL') => Subject

const POINT = 'SELECT * FROM rows WHERE id = ?'
const MANY = 'SELECT * FROM rows LIMIT 1000'
const WRITE = 'UPDATE rows SET number = number + 1 WHERE id = ?'

export const openOurs: Open = (file, synchronous) => {
  const sqlite = openSqlite(file, { synchronous })
  const [point, many, write] = [POINT, MANY, WRITE].map((query) => sqlite.prepare(query))
  const version = sqlite.prepare('PRAGMA data_version')
  return {
    point: (row) => void point?.first([`id ${row}`]),
    dataVersion: () => void version.first([]),
    many: () => void many?.all([]),
    prepare: () => void sqlite.prepare(POINT).reader,
    write: (row) => sqlite.transact(() => void write?.run([`id ${row}`])),
    close: () => sqlite.close(),
  }
}

/** The part of libsql that the handle used. */
interface Libsql {
  exec(sql: string): void
  prepare(sql: string): {
    readonly reader: boolean
    raw(): void
    columns(): { name: string }[]
    get(parameters: unknown[]): unknown[] | undefined
    all(parameters: unknown[]): unknown[]
    run(parameters: unknown[]): void
  }
  close(): void
}

/** Returns how to open a file with the driver that is installed in the folder. */
export function openLibsqlOf(folder: string): Open {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a package without types here
  const Driver = createRequire(join(folder, 'package.json'))('libsql') as new (file: string) => Libsql
  return (file, synchronous) => {
    const connection = new Driver(`file://${file}?mode=rwc&vfs=unix`)
    connection.exec(`PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
    const firstOf = (query: string) => {
      const statement = connection.prepare(query)
      statement.raw()
      const names = statement.columns().map(({ name }) => name)
      return (parameters: unknown[]) => {
        const values = statement.get(parameters)
        if (values === undefined) return undefined
        const row: Record<string, unknown> = {}
        for (const [at, name] of names.entries()) row[name] = values[at]
        return row
      }
    }
    const point = firstOf(POINT)
    const version = firstOf('PRAGMA data_version')
    const many = connection.prepare(MANY)
    const write = connection.prepare(WRITE)
    return {
      point: (row) => void point([`id ${row}`]),
      dataVersion: () => void version([]),
      many: () => void many.all([]),
      prepare: () => void firstOf(POINT),
      write(row) {
        connection.exec('BEGIN IMMEDIATE')
        write.run([`id ${row}`])
        connection.exec('COMMIT')
      },
      close: () => connection.close(),
    }
  }
}
