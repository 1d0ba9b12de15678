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
  const { node, unknown } = follow(schema, field)
  if (unknown?.isClosed === true) refuseUnknown(field, unknown)
  return typeOf(node)
}

/**
 * Throws `invalid_query` for a field that no record has, if the schema lists the fields of its place without saying that there may be others.
 */
export function refuseUnlisted(schema: object | null, field: string, isInRecord: () => boolean): void {
  const { unknown } = follow(schema, field)
  if (unknown?.isList === true && !isInRecord()) refuseUnknown(field, unknown)
}

/** The place at which the schema does not mention a name. */
interface Unknown {
  /** The fields that it has, each with the names that lead to it. */
  valid: string[]
  isClosed: boolean
  isList: boolean
}

/** Returns the part of the schema that describes a field, and where it is unknown. */
function follow(schema: object | null, field: string): { node: unknown; unknown?: Unknown } {
  const names = namesOf(field)
  let node: unknown = schema
  for (const [at, name] of names.entries()) {
    node = resolve(node, schema)
    const properties = memberOf(node, 'properties')
    const known = memberOf(properties, name)
    if (known === undefined) {
      const valid = Object.keys(Object(properties)).map((other) => [...names.slice(0, at), other].join('.'))
      return { node: undefined, unknown: { valid, isClosed: isClosed(node), isList: valid.length > 0 && isList(node) } }
    }
    node = known
  }
  return { node: resolve(node, schema) }
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

/** Keywords by which a schema may know more fields than it lists, or says that there may be others. */
const OPENING = [
  'additionalProperties',
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'if',
  'oneOf',
  'patternProperties',
  'unevaluatedProperties',
]

function isList(node: unknown): boolean {
  return OPENING.every((keyword) => memberOf(node, keyword) === undefined)
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

function refuseUnknown(field: string, { valid, isClosed: isAll }: Unknown): never {
  const known = `This collection has no field "${field}". It has: ${valid.join(', ')}.`
  const open = isAll ? '' : ' To ask for others, let its schema say "additionalProperties": true there.'
  throw new ServiceError('invalid_query', `${known}${open}`, { field, valid })
}
