// Where a request goes: path parameters and query in the form that the API reads.

import { createFinalURL, defaultPathSerializer } from 'openapi-fetch'
import type { Filter } from './paths.js'

export const API_PREFIX = '/api/v1'

/** Where a path of the route table is, with its parameters in it: `/api/v1/pages/…?lines=1-`. */
export function urlOf(path: string, params: { path: Record<string, unknown>; query: Record<string, unknown> }): string {
  const serializers = { querySerializer: serializeQuery, pathSerializer: defaultPathSerializer }
  return createFinalURL(path, { baseUrl: API_PREFIX, params, ...serializers })
}

/** As the API reads it: `filter` in brackets, everything else by its name. */
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
