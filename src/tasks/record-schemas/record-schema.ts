// Checks the bounds of a record schema: a JSON Schema of limited size and depth. These checks cost next to nothing and need no
// task; `checkRecord` makes all checks.

import { ServiceError } from '../../model/errors.js'

/** One fault. `field` is a JSON Pointer (RFC 6901) into the record or schema; '' stands for all of it. */
export interface FieldError {
  field: string
  message: string
}

/** Bytes of the schema as JSON. */
export const MAX_SCHEMA_BYTES = 64 * 1024
/** Levels of objects and arrays; the schema itself is the first. */
export const MAX_SCHEMA_DEPTH = 20
export const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

export type Dialect = '2020-12' | '2019-09' | 'draft-07'

const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|draft-0([67]))\/schema#?$/

/** Makes the refusal of a schema, with its `FieldError`s as details. */
export function invalidSchema(errors: readonly FieldError[]): ServiceError {
  const [first] = errors
  const where = first === undefined || first.field === '' ? 'The record schema' : `The record schema at ${first.field}`
  return new ServiceError('invalid_schema', `${where} ${first?.message ?? 'is not valid'}.`, errors)
}

/** Throws `invalid_schema` unless it is an object within the bounds, of a supported dialect. */
export function checkSchemaShape(schema: unknown): asserts schema is object {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw invalidSchema([{ field: '', message: 'must be a JSON object' }])
  }
  checkBounds(schema)
  if (dialectOf(schema) !== undefined) return
  const message = `must name JSON Schema 2020-12, 2019-09, draft-07 or draft-06, such as "${SCHEMA_DIALECT}"`
  throw invalidSchema([{ field: '/$schema', message }])
}

/**
 * Returns the dialect that `$schema` names; 2020-12 without it, undefined if it is not supported. Draft 06 is read as draft 07, which has all
 * of its keywords.
 */
export function dialectOf(schema: object): Dialect | undefined {
  const named: unknown = '$schema' in schema ? schema.$schema : SCHEMA_DIALECT
  const found = DIALECT.exec(typeof named === 'string' ? named : '')
  if (found === null) return undefined
  return (found[1] as Dialect | undefined) ?? 'draft-07'
}

function checkBounds(schema: object): void {
  let room = MAX_SCHEMA_BYTES
  /** Subtracts the least room that the value needs, and stops at the first bound. */
  function measure(value: unknown, depth: number, pointer: string): void {
    room -= typeof value === 'string' ? value.length + 2 : 1
    if (room < 0) throw tooLarge()
    if (typeof value !== 'object' || value === null) return
    if (depth > MAX_SCHEMA_DEPTH) {
      throw invalidSchema([
        { field: pointer, message: `is more than ${MAX_SCHEMA_DEPTH} levels deep: flatten it or use $defs` },
      ])
    }
    for (const [key, child] of Object.entries(value)) {
      room -= Array.isArray(value) ? 1 : key.length + 3
      measure(child, depth + 1, `${pointer}/${escapePointer(key)}`)
    }
  }
  measure(schema, 1, '')
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) throw tooLarge()
}

function tooLarge(): ServiceError {
  return invalidSchema([{ field: '', message: `is larger than ${MAX_SCHEMA_BYTES} bytes: make it smaller` }])
}

/** Escapes one step of a JSON Pointer (RFC 6901 §3). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
