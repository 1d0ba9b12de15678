// The parts that the inputs of several use cases share.

/** The page, site, collection or key that a route names. */
export interface ResourceId {
  id: string
}

/** Preconditions of a change (RFC 9110 §13.1): entity tags without quotes, or `*`. */
export interface Conditions {
  ifMatch?: readonly string[] | '*'
}

export interface DryRunInput {
  /** Build and describe the change, and write nothing. */
  dryRun?: boolean
}

/** One part of a list: `limit` is 1 to 1,000. */
export interface SliceInput {
  cursor?: string
  limit?: number
}

export const DEFAULT_LIMIT = 200

/** Returns only the precondition, to be spread into an operation. */
export function conditionOf({ ifMatch }: Conditions): Conditions {
  return ifMatch === undefined ? {} : { ifMatch }
}
