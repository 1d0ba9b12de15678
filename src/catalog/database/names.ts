// The names of tables and columns: snake_case in SQL, camelCase in code. Only this file maps them.

import { PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'

/** Returns the name that SQL has for a name in code. */
export const toSql = remembering((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** Returns the name that code has for a name in SQL. */
export const fromSql = remembering((name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

/** Returns the function with a memory of its answers: names are few, and each query has many. */
function remembering(rename: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const renamed = known.get(name) ?? rename(name)
    known.set(name, renamed)
    return renamed
  }
}

/** Compiles queries with names of code to SQL. Kysely's own plugin copies each query and each row, and costs a quarter more time. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return toSql(super.sanitizeIdentifier(identifier))
  }
}

/** Does the same for PostgreSQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return toSql(super.sanitizeIdentifier(identifier))
  }
}
