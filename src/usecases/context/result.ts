// What use cases answer, whichever door asked.

export interface Result<T = unknown> {
  data: T
  /** Something new exists: 201 over HTTP. */
  created?: boolean
  /** Where the created thing is: a path below the API's own, `/pages/<id>`, or a URL. */
  location?: string
  /** The entity tag of `data`, quotes included. */
  etag?: string
  /** Given by lists alone; null on the last part. */
  nextCursor?: string | null
}

/** Conditions of a change (RFC 9110 §13.1): entity tags without quotes, or `*`. */
export interface Conditions {
  ifMatch?: readonly string[] | '*'
}

/** The condition alone, to be spread into an operation. */
export function conditionOf({ ifMatch }: Conditions): Conditions {
  return ifMatch === undefined ? {} : { ifMatch }
}

/** The part of a list that is asked for: `limit` is 1 to 1,000. */
export interface SliceInput {
  cursor?: string
  limit?: number
}

export const DEFAULT_LIMIT = 200

/** The value of an `ETag` field for a commit: its oid in quotes. */
export function quoteTag(oid: string): string {
  return `"${oid}"`
}
