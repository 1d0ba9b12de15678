// How the list of tables says what a column is. Its type in both databases and the type of its value follow.

import type { Generated } from 'kysely'

export interface Column<Value = unknown> {
  readonly type: 'text' | 'integer' | 'bigint'
  /** SQL after the type: the same in both databases. */
  readonly rules: string
  /** The number of the step that added it, if the table was there before. */
  readonly since?: number
  /** Never set: it carries the type of the value. */
  readonly value?: Value
}

export interface Table<Columns extends Record<string, Column> = Record<string, Column>> {
  /** The number of the step that added it. */
  readonly since: number
  readonly columns: Columns
  /** The columns of a primary key of several. */
  readonly key?: readonly string[]
}

/** The rows of the tables, as Kysely takes them. */
export type RowsOf<Tables extends Record<string, Table>> = {
  [Name in keyof Tables]: {
    [Field in keyof Tables[Name]['columns']]: Tables[Name]['columns'][Field] extends Column<infer Value> ? Value : never
  }
}

type Required = `${'not null' | 'primary key'}${string}`

export function table<Columns extends Record<string, Column>>(
  since: number,
  columns: Columns,
  key?: readonly (keyof Columns & string)[],
): Table<Columns> {
  return { since, columns, ...(key !== undefined && { key }) }
}

/** Adds a column to a table that is older. */
export function from<Value>(since: number, column: Column<Value>): Column<Value> {
  return { ...column, since }
}

export function text<Value extends string = string>(rules: Required): Column<Value>
export function text<Value extends string = string>(rules?: ''): Column<Value | null>
export function text(rules = ''): Column<string | null> {
  return { type: 'text', rules }
}

export function integer(rules: Required): Column<number> {
  return { type: 'integer', rules }
}

/** Makes a column for numbers that may pass 2^31. */
export function bigint(rules: Required): Column<number>
export function bigint(rules?: ''): Column<number | null>
export function bigint(rules = ''): Column<number | null> {
  return { type: 'bigint', rules }
}

/** Makes a column with the id of a row of another table. */
export function idOf(other: string): Column<string> {
  return text(`not null references "${other}" ("id")`)
}

export function optionalIdOf(other: string): Column<string | null> {
  return { type: 'text', rules: `references "${other}" ("id")` }
}

/** Makes the column `state`. */
export function states<Value extends string>(...values: readonly Value[]): Column<Value> {
  return text(`not null check (state in (${values.map((value) => `'${value}'`).join(', ')}))`)
}

/** Makes a column that is 0 if a new row does not say otherwise: a count, or whether something is on. */
export function zero(): Column<Generated<number>> {
  return { type: 'integer', rules: 'default 0 not null' }
}

/** Makes a column that is empty if a new row does not say otherwise. */
export function emptyText(): Column<Generated<string>> {
  return word('')
}

/** Makes a column that holds this word if a new row does not say otherwise. */
export function word(value: string): Column<Generated<string>> {
  return { type: 'text', rules: `default '${value}' not null` }
}
