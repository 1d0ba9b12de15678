// The order of rows by age: by the time at which they were made, and by id within a second.

import { type Expression, sql, type SqlBool } from 'kysely'

export interface Aged {
  createdAt: string
  id: string
}

/** Sorts as text as the rows do. */
export function ageOf({ createdAt, id }: Aged): string {
  return `${createdAt} ${id}`
}

/** The rows that follow the one with this `ageOf`; all after ''. The first condition is the one that an index answers. */
export function isAfter(age: string): Expression<SqlBool> {
  const [createdAt = ''] = age.split(' ')
  return sql<SqlBool>`(created_at >= ${createdAt} and created_at || ' ' || id > ${age})`
}
