// Computes the length of the longest body that fits a schema: the bound of a route's body follows from it.

import type { TSchema } from 'typebox'

/** Bytes of a character outside the basic plane, as two escapes: `\ud83d\ude00`. */
const MAX_CHARACTER_BYTES = 12
const MAX_NUMBER_BYTES = 32

interface Schema {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly TSchema[]
  oneOf?: readonly TSchema[]
  maxLength?: number
  maxItems?: number
  items?: TSchema
  properties?: Readonly<Record<string, TSchema>>
}

/**
 * Returns the bytes of the longest JSON of the schema, without white space that a client may add; Infinity if it is unbounded. `freeBytes`
 * is the bound of an object with any fields.
 */
export function longestJson(schema: TSchema, freeBytes: number): number {
  const { type, enum: values, const: only, anyOf, oneOf, maxLength, maxItems, items, properties } = schema as Schema
  const longest = (one: TSchema) => longestJson(one, freeBytes)
  const options = anyOf ?? oneOf
  if (options !== undefined) return Math.max(...options.map(longest))
  if (values !== undefined || only !== undefined) return Math.max(...(values ?? [only]).map(jsonBytes))
  switch (type) {
    case 'string':
      return maxLength === undefined ? Infinity : maxLength * MAX_CHARACTER_BYTES + 2
    case 'array':
      return maxItems === undefined || items === undefined ? Infinity : maxItems * (longest(items) + 1) + 2
    case 'object':
      return properties === undefined || Object.keys(properties).length === 0
        ? freeBytes
        : Object.entries(properties).reduce((sum, [name, one]) => sum + jsonBytes(name) + longest(one) + 2, 2)
    default:
      return MAX_NUMBER_BYTES
  }
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
