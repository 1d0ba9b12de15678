import type { Caller } from './rules.js'

export interface CallerWithFields extends Caller {
  /** The header fields that show who it is. */
  fields: Record<string, string>
}

export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` }
}
