// The type by which a field of a record is compared, as the collection's JSON Schema gives it.

import { ServiceError } from '../../model/errors.js'

/** `instant`: a text with the format `date` or `date-time`. */
export type FieldType = 'number' | 'boolean' | 'instant' | 'text'

const MAX_FIELD_CHARACTERS = 512
const MAX_FIELD_LEVELS = 20

/**
 * Returns the type of a field. Follows `properties` (and `$ref`s within the schema) along the dots of `field`. A field that the
 * schema does not mention is text. Throws `invalid_query`, with the valid names in the details, for a field that
 * `additionalProperties: false` rules out.
 */
export function fieldTypeOf(schema: object | null, field: string): FieldType {
  const names = namesOf(field)
  let node: unknown = schema
  for (const name of names) {
    node = resolve(node, schema)
    const properties = memberOf(node, 'properties')
    const known = memberOf(properties, name)
    if (known === undefined && isClosed(node)) refuseUnknown(field, Object.keys(Object(properties)))
    node = known
  }
  return typeOf(resolve(node, schema))
}

/** Returns the field as a JSON path with every name literal. SQLite ends a quoted name at the next `"`, escaped or not. */
export function jsonPathOf(field: string): string {
  return `$${namesOf(field).map(quotedName).join('')}`
}

function quotedName(name: string): string {
  const escaped = JSON.stringify(name).slice(1, -1).replaceAll('\\\\', '\\u005c').replaceAll('\\"', '\\u0022')
  return `."${escaped}"`
}

function namesOf(field: string): string[] {
  const names = field.split('.')
  if (
    field.length <= MAX_FIELD_CHARACTERS &&
    names.length <= MAX_FIELD_LEVELS &&
    !names.includes('') &&
    !field.includes('\0')
  ) {
    return names
  }
  throw new ServiceError(
    'invalid_query',
    'A field is written as the names that lead to it, joined by dots: author.name.',
    {
      field,
    },
  )
}

function typeOf(node: unknown): FieldType {
  const type = memberOf(node, 'type')
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null')
  const format = memberOf(node, 'format')
  const isDated = format === 'date' || format === 'date-time'
  if (isDated && types.every((name) => name === 'string')) return 'instant'
  if (types.length === 0) return 'text'
  if (types.every((name) => name === 'number' || name === 'integer')) return 'number'
  return types.every((name) => name === 'boolean') ? 'boolean' : 'text'
}

/** Whether the schema rules out other names. With `patternProperties` it does not: patterns are never run here. */
function isClosed(node: unknown): boolean {
  return memberOf(node, 'additionalProperties') === false && memberOf(node, 'patternProperties') === undefined
}

/** Follows `#/…` references; a circle of them ends as an unknown type. */
function resolve(node: unknown, root: object | null): unknown {
  let at = node
  for (let steps = 0; steps < MAX_FIELD_LEVELS; steps += 1) {
    const reference = memberOf(at, '$ref')
    if (typeof reference !== 'string') return at
    if (!reference.startsWith('#')) return undefined
    at = reference
      .slice(1)
      .split('/')
      .slice(1)
      .reduce<unknown>((parent, name) => memberOf(parent, name.replaceAll('~1', '/').replaceAll('~0', '~')), root)
  }
  return undefined
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

function refuseUnknown(field: string, valid: string[]): never {
  throw new ServiceError('invalid_query', `This collection has no field "${field}". It has: ${valid.join(', ')}.`, {
    field,
    valid,
  })
}
