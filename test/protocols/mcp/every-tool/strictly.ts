// Arguments as a model writes them whose host converts the list of tools to a strict form: each listed field, and no other.

import assert from 'node:assert/strict'

/** The part of a listed schema that matters here. */
export interface ListedSchema {
  type?: string
  properties?: Readonly<Record<string, ListedSchema>>
  items?: ListedSchema
}

/** Fills all fields that are left out with null. Fails where a field is not listed. An object that lists no fields is free. */
export function strictly(value: unknown, schema: ListedSchema | undefined, where: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => strictly(entry, schema?.items, `${where}[]`))
  const properties = schema?.properties
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  const unlisted = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name))
  assert.deepEqual(unlisted, [], `${where} does not list them`)
  return Object.fromEntries(
    Object.entries(properties).map(([name, listed]) => [
      name,
      strictly(fields[name] ?? null, listed, `${where}.${name}`),
    ]),
  )
}
