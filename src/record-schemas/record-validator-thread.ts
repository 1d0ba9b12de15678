// The thread that checks records: one question at a time, one answer each. It may be ended at any moment.

import { LRUCache } from 'lru-cache'
import { parentPort } from 'node:worker_threads'
import type { FieldError } from './record-schema.js'
import { type CheckRecord, compileRecordSchema, SchemaRefused } from './record-schema-compiler.js'

export interface Question {
  /** The oid of the definition, when its compiled form is worth keeping. */
  definition: string | null
  schema: object
  /** Undefined asks about the schema alone. */
  data: Record<string, unknown> | undefined
}

/** `ready` comes once, unasked: the time before it is the thread's start, not the schema's. */
export type Answer = 'ready' | { schemaErrors: FieldError[] } | { recordErrors: FieldError[] }

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

function send(message: Answer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have not
  parentPort?.postMessage(message)
}

// The first compilation of a process is slow; it is part of the start, so that no schema is blamed for it.
compileRecordSchema({ type: 'object', properties: { text: { type: 'string', pattern: '^a' } } })({ text: 'b' })

parentPort?.on('message', (question: Question) => send(answer(question)))
send('ready')
