// Writes the query of a request in the form that the API reads.

import type { Filter } from './request-types.js'

export const API_PREFIX = '/api/v1'

/** The paths of the route table that do not lie below the prefix: browsers sign in there, and guests review. */
export const BESIDE_PREFIX = /^\/(?:session|guest)(?:\/|$)/

/** Writes `filter` in brackets, every other parameter by its name. */
export function serializeQuery(query: Record<string, unknown>): string {
  const { filter = {}, ...others } = query as { filter?: Filter }
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries<string | number | boolean | undefined>(others))
    if (value !== undefined) pairs.append(name, String(value))
  appendFilter(pairs, filter)
  return pairs.toString()
}

function appendFilter(pairs: URLSearchParams, filter: Filter): void {
  for (const [field, wanted] of Object.entries(filter)) {
    if (typeof wanted !== 'object') pairs.append(`filter[${field}]`, String(wanted))
    else for (const [op, value] of Object.entries(wanted)) pairs.append(`filter[${field}][${op}]`, String(value))
  }
}
