// Writes a record that fits its collection's schema at the moment of the write.

import { ServiceError } from '../../model/errors.js'
import { encodeCanonicalJson } from '../../store/format/site-format.js'
import type { Operation, Written } from '../../store/protocol/write.js'
import { type FoundCollection, findCollectionIn } from './collections.js'
import { recordFaults } from '../context/record-checks.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { type CommitNotes, writeSite } from '../context/write-site.js'

type PutRecord = Extract<Operation, { kind: 'put-record' }>

const MAX_TRIES = 3

/** Where the schema changes between check and write, the writer refuses the record and both are repeated. */
export async function putCheckedRecord(
  services: Services,
  context: RequestContext,
  found: FoundCollection,
  change: Omit<PutRecord, 'kind' | 'collectionId' | 'definition'>,
  notes: CommitNotes = {},
): Promise<Written> {
  for (let tries = 1, collection = found; ; tries += 1) {
    await checkRecord(services, context, collection, change.data)
    const { id, definition } = collection.row
    const operation = { kind: 'put-record', collectionId: id, definition, ...change } as const
    try {
      return await writeSite(services, context, collection.site, operation, notes)
    } catch (error) {
      if (tries === MAX_TRIES || !isSchemaChanged(error)) throw error
      collection = await findCollectionIn(services, collection.site, id)
    }
  }
}

/** Throws `payload_too_large` and `invalid_record`. */
export async function checkRecord(
  { tasks, limits }: Services,
  context: RequestContext,
  { row }: FoundCollection,
  data: Record<string, unknown>,
): Promise<void> {
  const size = encodeCanonicalJson(data).length
  if (size > limits.maxRecordBytes) {
    throw new ServiceError(
      'payload_too_large',
      `The record has ${size} bytes of JSON: at most ${limits.maxRecordBytes} are taken.`,
      { limit: limits.maxRecordBytes },
    )
  }
  if (row.schema === null) return
  const { definition, schema } = row
  const errors = await recordFaults(tasks, context.target.workspace.id, { definition, schema, data })
  if (errors.length === 0) return
  throw new ServiceError(
    'invalid_record',
    "The record does not fit its collection's schema: see the fields in details.",
    errors.map(({ field, message }) => ({ field: `/data${field}`, message })),
  )
}

function isSchemaChanged(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'conflict') return false
  const { details } = error
  return typeof details === 'object' && details !== null && 'retry' in details && details.retry === true
}
