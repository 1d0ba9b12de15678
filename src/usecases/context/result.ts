// The answer of a use case, for the API and every other caller.

export interface Result<T = unknown> {
  data: T
  /** Something new exists: 201 over HTTP. */
  created?: boolean
  /** The work is in progress: 202 over HTTP. */
  accepted?: boolean
  /** Address of the created resource: a path below the API's prefix, `/pages/<id>`, or a URL. */
  location?: string
  /** The entity tag of `data`, quotes included. */
  etag?: string
  /** The change request that was written to, in place of main. */
  changeRequest?: string
  /** Present only for lists; null on the last part. */
  nextCursor?: string | null
  /** A field that is missing in `data`, or in the only entry of a list: the caller puts it in. */
  long?: LongField
}

/** A long text, made into JSON outside the thread that answers. */
export interface LongField {
  name: string
  /** A string, quotes included, in UTF-8. */
  json: Buffer
}

/** Returns the `ETag` value for a commit or blob: its oid in quotes. */
export function quoteTag(oid: string): string {
  return `"${oid}"`
}
