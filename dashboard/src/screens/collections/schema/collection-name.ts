// A collection has a name for programs, in the form of an address, and a title for people.

import type { JsonObject } from '../fields/field.js'

/** Returns the name that a title gives: "Our books" gives `our-books`. */
export function nameFromTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)
}

/** Returns what people call the collection: the title of its schema, or its name. */
export function titleOfCollection({ name, schema }: { name: string; schema: object | null }): string {
  const title: unknown = schema !== null && 'title' in schema ? schema.title : undefined
  return typeof title === 'string' && title.trim() !== '' ? title : name
}

/** Returns the schema with this title. A title that says no more than the name is left out. */
export function withTitle(schema: JsonObject | null, title: string, name: string): JsonObject | null {
  const { title: _, ...others } = schema ?? {}
  const isSaid = title.trim() === '' || title.trim() === name
  if (isSaid) return schema === null ? null : others
  return { ...others, title: title.trim() }
}
