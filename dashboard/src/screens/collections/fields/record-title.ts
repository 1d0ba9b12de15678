// How people call a record, and which of its fields tell the most.

import type { Field, JsonObject } from './field.js'

const TITLES = ['title', 'name', 'headline', 'heading', 'label', 'subject', 'question', 'slug']
const MAX_TITLE_CHARACTERS = 60

/** Returns the field that names a record; undefined if no field is a text. */
export function titleField(fields: readonly Field[]): Field | undefined {
  const texts = fields.filter(({ shape }) => shape.kind === 'text')
  const named = TITLES.flatMap((word) => texts.filter(({ name }) => name.toLowerCase() === word))
  const like = texts.filter(({ name }) => /title|name/i.test(name))
  return named[0] ?? like[0] ?? texts.find(({ isRequired }) => isRequired) ?? texts[0]
}

/** Returns the field that names a record, and those after it. */
export function firstFields(fields: readonly Field[], count: number): Field[] {
  const first = titleField(fields)
  const told = fields.filter(({ shape }) => !['group', 'json', 'long text'].includes(shape.kind))
  const rest = [...told, ...fields.filter((field) => !told.includes(field))].filter((field) => field !== first)
  return [...(first ? [first] : []), ...rest].slice(0, count)
}

/** Returns the name of a record in one line; "a record" if it has none. */
export function titleOf(data: JsonObject, fields: readonly Field[]): string {
  const field = titleField(fields)
  const named = field && textOf(data[field.name])
  const title =
    named ??
    Object.values(data)
      .map(textOf)
      .find((text) => text !== undefined)
  if (title === undefined) return 'a record'
  return title.length > MAX_TITLE_CHARACTERS ? `${title.slice(0, MAX_TITLE_CHARACTERS - 1).trimEnd()}…` : title
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  const line = typeof value === 'string' ? value.trim().split('\n', 1)[0] : undefined
  return line === '' ? undefined : line
}
