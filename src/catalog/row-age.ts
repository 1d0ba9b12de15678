// The order of rows by age: by creation time, and by id within a second.

import { type Expression, sql, type SqlBool } from 'kysely'

export interface Aged {
  createdAt: string
  id: string
}

/** Returns a text that sorts as the rows do. */
export function ageOf({ createdAt, id }: Aged): string {
  return `${createdAt} ${id}`
}

/** Selects the rows after the one with this `ageOf`; all rows for ''. The first condition can use an index. */
export function isAfter(age: string): Expression<SqlBool> {
  const [createdAt = ''] = age.split(' ')
  return sql<SqlBool>`(created_at >= ${createdAt} and created_at || ' ' || id > ${age})`
}
