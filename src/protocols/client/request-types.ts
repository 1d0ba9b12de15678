// The parts of a request other than its path and body.

/** Workspace, site and conditions of a request. */
export interface HeaderFields {
  'x-service-account-id'?: string | undefined
  'x-service-site-id'?: string | undefined
  'If-Match'?: string | undefined
  'If-None-Match'?: string | undefined
  'Idempotency-Key'?: string | undefined
}

type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'

/** `{year: 8}` is sent as `filter[year]=8`, `{year: {lt: 100}}` as `filter[year][lt]=100`. */
export type Filter = Record<string, FilterValue | Partial<Record<FilterOperator, FilterValue>>>
type FilterValue = string | number | boolean
