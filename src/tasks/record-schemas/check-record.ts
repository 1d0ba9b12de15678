// Checks one record, or a schema alone, and keeps compiled schemas. Runs only in a task process: a schema within its bounds can still take
// exponential time.

import { LRUCache } from 'lru-cache'
import { checkSchemaShape, type FieldError } from './record-schema.js'
import { type CheckRecord, compileRecordSchema, SchemaRefused } from './record-schema-compiler.js'

export interface RecordToCheck {
  /** The oid of the definition, if its compiled form is worth keeping. */
  definition: string | null
  schema: object
  /** The record as JSON; undefined asks about the schema alone. Sending it here as a text costs next to nothing. */
  json: string | undefined
}

export type RecordFaults = { schemaErrors: FieldError[] } | { recordErrors: FieldError[] }

/** Bytes of schema text whose compiled forms are kept; compiled, they take some ten times that. */
const KEPT_SCHEMA_BYTES = 2 * 1024 * 1024

const OUT_OF_BOUNDS: FieldError = { field: '', message: 'is larger, deeper or of another dialect than is supported' }

const compiled = new LRUCache<string, CheckRecord>({ maxSize: KEPT_SCHEMA_BYTES })

export function checkRecord(question: RecordToCheck): RecordFaults {
  try {
    const check = checkOf(question)
    return { recordErrors: question.json === undefined ? [] : check(JSON.parse(question.json)) }
  } catch (error) {
    if (error instanceof SchemaRefused) return { schemaErrors: error.errors }
    throw error
  }
}

/** Returns what is wrong with the record, in words; also of a schema that a push brought, and that cannot be used. */
export function wordsOfFaults(record: RecordToCheck): string[] {
  const faults = isWithinBounds(record.schema) ? checkRecord(record) : { schemaErrors: [OUT_OF_BOUNDS] }
  if ('schemaErrors' in faults) return faults.schemaErrors.map(({ message }) => `the schema ${message}`)
  return faults.recordErrors.map(({ field, message }) => `${field === '' ? 'it' : field} ${message}`)
}

function isWithinBounds(schema: object): boolean {
  try {
    checkSchemaShape(schema)
    return true
  } catch {
    return false
  }
}

function checkOf({ definition, schema }: RecordToCheck): CheckRecord {
  const known = definition === null ? undefined : compiled.get(definition)
  if (known !== undefined) return known
  const check = compileRecordSchema(schema)
  if (definition !== null) compiled.set(definition, check, { size: JSON.stringify(schema).length })
  return check
}
