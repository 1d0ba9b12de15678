// The statements that make the tables, for either database.

import type { Column, Table } from './columns.js'
import { toSql } from './names.js'
import { INDEXES, type Index, TABLES } from './tables.js'

/** The words of one database that another one lacks. */
export interface Dialect {
  /** Names of the types of columns. */
  types: Readonly<Record<Column['type'], string>>
  /** The key of a table that has none. SQLite numbers its rows itself. */
  rowNumber: string | undefined
  /** Whether the service chooses the names of indexes and keys. */
  isNaming: boolean
  /** Reads a field of the JSON in the column `entry`. */
  field: (...path: string[]) => string
  /** Joins different texts of several rows by spaces. */
  join: (column: string) => string
}

export const SQLITE: Dialect = {
  types: { text: 'text', integer: 'integer', bigint: 'integer' },
  rowNumber: undefined,
  isNaming: true,
  field: (...path) => `json_extract(entry, '$.${path.join('.')}')`,
  join: (column) => `replace(group_concat(DISTINCT ${column}), ',', ' ')`,
}

/** Text is a domain that compares it by its bytes, as SQLite does. */
export const POSTGRES: Dialect = {
  types: { text: 'words', integer: 'integer', bigint: 'bigint' },
  rowNumber: 'rowid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  isNaming: false,
  field: (...path) => `(entry::text::jsonb #>> '{${path.join(',')}}')`,
  join: (column) => `string_agg(DISTINCT ${column}, ' ')`,
}

/** Returns the statements for all that the steps with these numbers added, the last one included. */
export function makeTables(dialect: Dialect, first: number, last = first): string[] {
  const isNew = ({ since }: { since: number }) => since >= first && since <= last
  const tables = Object.entries<Table>(TABLES)
  return [
    ...tables.flatMap(([name, table]) => (isNew(table) ? [createTable(dialect, name, table, last)] : [])),
    ...tables.flatMap(([name, { since, columns }]) =>
      Object.entries(columns).flatMap(([field, column]) =>
        since < first && column.since !== undefined && isNew({ since: column.since })
          ? [`alter table "${toSql(name)}" add column ${columnOf(dialect, field, column)}`]
          : [],
      ),
    ),
    ...INDEXES.filter(isNew).flatMap((index) => createIndex(dialect, index)),
  ]
}

/** Lists the tables that the steps with these numbers added, or all, each with the columns of its key, by their names in SQL. */
export function keysOf(first = 0, last = Infinity): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries<Table>(TABLES).flatMap(([name, table]) =>
      table.since >= first && table.since <= last ? [[toSql(name), keyOf(table).map(toSql)]] : [],
    ),
  )
}

function keyOf({ columns, key }: Table): readonly string[] {
  if (key !== undefined) return key
  const single = Object.entries(columns).find(([, { rules }]) => rules.startsWith('primary key'))
  return [single?.[0] ?? 'rowid']
}

function createTable(dialect: Dialect, name: string, table: Table, last: number): string {
  const { isNaming, rowNumber } = dialect
  const columns = Object.entries(table.columns).filter(([, { since = 0 }]) => since <= last)
  const lines = columns.map(([field, column]) => columnOf(dialect, field, column))
  if (table.key !== undefined)
    lines.push(`${isNaming ? `constraint "${toSql(name)}_primary_key" ` : ''}primary key (${listOf(table.key)})`)
  else if (rowNumber !== undefined && keyOf(table)[0] === 'rowid') lines.unshift(rowNumber)
  return `create table "${toSql(name)}" (${lines.join(', ')})`
}

function columnOf({ types }: Dialect, field: string, { type, rules }: Column): string {
  return `"${toSql(field)}" ${types[type]} ${rules}`.trimEnd()
}

function createIndex({ isNaming }: Dialect, { table, by, columns, isShared, where }: Index): string[] {
  if (isNaming ? by === undefined : !isShared) return []
  const name = isNaming ? `"${toSql(table)}_by_${by}" ` : ''
  return [
    `create index ${name}on "${toSql(table)}" (${listOf(columns)})${where === undefined ? '' : ` where ${where}`}`,
  ]
}

function listOf(fields: readonly string[]): string {
  return fields.map((field) => `"${toSql(field)}"`).join(', ')
}
