// The answer of a use case, whichever door asked.

export interface Result<T = unknown> {
  data: T
  /** Something new exists: 201 over HTTP. */
  created?: boolean
  /** It is being done: 202 over HTTP. */
  accepted?: boolean
  /** Where the created resource is: a path below the API's prefix, `/pages/<id>`, or a URL. */
  location?: string
  /** The entity tag of `data`, quotes included. */
  etag?: string
  /** Only lists have it; null on the last part. */
  nextCursor?: string | null
  /** A field that `data`, or the only entry of a list, lacks: the door puts it in. */
  long?: LongField
}

/** A long text, made into JSON away from the thread that answers. */
export interface LongField {
  name: string
  /** A string, quotes included, in UTF-8. */
  json: Buffer
}

/** The value of an `ETag` field for a commit: its oid in quotes. */
export function quoteTag(oid: string): string {
  return `"${oid}"`
}
