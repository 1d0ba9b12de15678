// Checks one record, or a schema alone, and keeps compiled schemas. Runs only in a task process: a schema within its bounds can still take
// exponential time.

import { LRUCache } from 'lru-cache'
import type { FieldError } from './record-schema.js'
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

function checkOf({ definition, schema }: RecordToCheck): CheckRecord {
  const known = definition === null ? undefined : compiled.get(definition)
  if (known !== undefined) return known
  const check = compileRecordSchema(schema)
  if (definition !== null) compiled.set(definition, check, { size: JSON.stringify(schema).length })
  return check
}
