// Makes the operation that puts a record. It holds only while the collection has the schema that the record was checked against.

import { ServiceError } from '../../model/errors.js'
import { MAX_RECORD_BYTES } from '../../model/limits.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { FoundCollection } from './collections.js'
import type { Call } from '../context/call.js'
import { recordFaults } from './record-checks.js'
import { sortedJson } from '../context/idempotency.js'

type RecordFields = Record<string, unknown>
type PutRecord = Extract<Operation, { kind: 'put-record' }>

/** The writer refuses the operation as stale if the schema changes before its turn. Throws as `checkRecord` does. */
export async function toPutRecord(
  call: Call<'tasks'>,
  collection: FoundCollection,
  { data, ...change }: Omit<PutRecord, 'kind' | 'collectionId' | 'definition' | 'json'> & { data: RecordFields },
): Promise<PutRecord> {
  const json = await checkRecord(call, collection, data)
  const { id, definition } = collection.row
  return { kind: 'put-record', collectionId: id, definition, json, ...change }
}

/** Returns the record as canonical JSON. Throws `payload_too_large` and `invalid_record`. */
export async function checkRecord(call: Call<'tasks'>, { row }: FoundCollection, data: RecordFields): Promise<string> {
  const { tasks } = call
  const json = JSON.stringify(data)
  // Counts the line feed of the record's file.
  const size = Buffer.byteLength(json) + 1
  if (size > MAX_RECORD_BYTES) {
    throw new ServiceError(
      'payload_too_large',
      `The record has ${size} bytes of JSON: the limit is ${MAX_RECORD_BYTES}.`,
      { limit: MAX_RECORD_BYTES },
    )
  }
  const { definition, schema } = row
  const workspaceId = call.target.workspace.id
  const errors = schema === null ? [] : await recordFaults(tasks, workspaceId, { definition, schema, json })
  if (errors.length === 0) return await sortedJson(tasks, workspaceId, data, json)
  throw new ServiceError(
    'invalid_record',
    "The record does not fit its collection's schema: see the fields in details.",
    errors.map(({ field, message }) => ({ field: `/data${field}`, message })),
  )
}
