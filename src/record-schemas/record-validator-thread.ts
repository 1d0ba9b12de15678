// The thread that checks records: one question at a time, one answer each. It may be ended at any moment.

import { LRUCache } from 'lru-cache'
import type { FieldError } from './record-schema.js'
import { serveRequests } from '../threads/serve.js'
import { type CheckRecord, compileRecordSchema, SchemaRefused } from './record-schema-compiler.js'

export interface Question {
  /** The oid of the definition, when its compiled form is worth keeping. */
  definition: string | null
  schema: object
  /** Undefined asks about the schema alone. */
  data: Record<string, unknown> | undefined
}

export type Answer = { schemaErrors: FieldError[] } | { recordErrors: FieldError[] }

export interface ValidatorProtocol {
  request: Question
  answer: Answer
  event: never
}

/** Bytes of schema text whose compiled forms are kept; compiled, they take some ten times that. */
const KEPT_SCHEMA_BYTES = 2 * 1024 * 1024

const compiled = new LRUCache<string, CheckRecord>({ maxSize: KEPT_SCHEMA_BYTES })

function checkerOf({ definition, schema }: Question): CheckRecord {
  const known = definition === null ? undefined : compiled.get(definition)
  if (known !== undefined) return known
  const checkRecord = compileRecordSchema(schema)
  if (definition !== null) compiled.set(definition, checkRecord, { size: JSON.stringify(schema).length })
  return checkRecord
}

function answer(question: Question): Answer {
  try {
    const checkRecord = checkerOf(question)
    return { recordErrors: question.data === undefined ? [] : checkRecord(question.data) }
  } catch (error) {
    if (error instanceof SchemaRefused) return { schemaErrors: error.errors }
    throw error
  }
}

const post = serveRequests<ValidatorProtocol>((question, ticket) =>
  post({ replies: [{ ticket, answer: answer(question) }] }),
)
