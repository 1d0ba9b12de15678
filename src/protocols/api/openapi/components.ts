// Schemas in the OpenAPI document. A schema with a title is written once, as a component, and referred to.

import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>
export type Components = Record<string, Json>

/** Returns a reference to the component that a titled schema becomes; returns any other schema itself. */
export function refer(schema: TSchema, components: Components): Json {
  const { title, ...rest } = plain(schema)
  if (typeof title !== 'string') return rest
  components[title] ??= rest
  return { $ref: `#/components/schemas/${title}` }
}

/**
 * Returns the schema as JSON, without the parts for the type system, and without `discriminator`. That helps our checks to name the wrong
 * field, but OpenAPI allows it only between components (OpenAPI 3.1 §4.8.25).
 */
export function plain(schema: TSchema): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'discriminator' ? undefined : value)),
  ) as Json
}
