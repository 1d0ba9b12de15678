// Writes a record that fits its collection's schema at the moment of the write.

import { isStale, ServiceError } from '../../model/errors.js'
import { MAX_RECORD_BYTES } from '../../model/limits.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import { type FoundCollection, findCollectionIn } from './collections.js'
import { recordFaults } from '../context/record-checks.js'
import { sortedJson } from '../context/sorted-json.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { type CommitNotes, writeSite } from '../context/write-site.js'

type RecordFields = Record<string, unknown>
type PutRecord = Extract<Operation, { kind: 'put-record' }>

const MAX_TRIES = 3

/** Writes the record. If the schema changes between check and write, the writer refuses the record and both are repeated. */
export async function putCheckedRecord(
  services: Services,
  context: RequestContext,
  found: FoundCollection,
  { data, ...change }: Omit<PutRecord, 'kind' | 'collectionId' | 'definition' | 'json'> & { data: RecordFields },
  notes: CommitNotes = {},
): Promise<Written> {
  for (let tries = 1, collection = found; ; tries += 1) {
    const json = await checkRecord(services, context, collection, data)
    const { id, definition } = collection.row
    const operation = { kind: 'put-record', collectionId: id, definition, json, ...change } as const
    try {
      return await writeSite(services, context, collection.site, operation, notes)
    } catch (error) {
      if (tries === MAX_TRIES || !isStale(error)) throw error
      collection = await findCollectionIn(services, collection.site, id)
    }
  }
}

/** Returns the record as canonical JSON. Throws `payload_too_large` and `invalid_record`. */
export async function checkRecord(
  { tasks }: Services,
  context: RequestContext,
  { row }: FoundCollection,
  data: RecordFields,
): Promise<string> {
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
  const workspaceId = context.target.workspace.id
  const errors = schema === null ? [] : await recordFaults(tasks, workspaceId, { definition, schema, json })
  if (errors.length === 0) return await sortedJson(tasks, workspaceId, data, json)
  throw new ServiceError(
    'invalid_record',
    "The record does not fit its collection's schema: see the fields in details.",
    errors.map(({ field, message }) => ({ field: `/data${field}`, message })),
  )
}
