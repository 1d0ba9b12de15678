// Makes the change of an operation on a record, merged with the newest version if the client wants that.

import type { BatchOperation } from '../../../schemas/batch.js'
import type { Reading, SiteCall } from '../context/call.js'
import { checkRecord } from '../records/put-record.js'
import { findRecord, mergeRecord } from '../records/records.js'
import { type BatchChange, conditionsOf, type Merged } from './batch-change.js'
import { findNamedCollection } from './named-targets.js'

type OnRecord = Extract<BatchOperation, { collectionId: string }>

/** `tags` are the entity tags of the version that the client changed: the change is merged. */
export async function recordChange(
  call: SiteCall<Reading | 'tasks'>,
  operation: OnRecord,
  newId: string,
  tags: readonly string[] | undefined,
): Promise<Merged<Extract<BatchChange, { recordId: string }>>> {
  const collection = await findNamedCollection(call, operation.collectionId)
  const { id: collectionId, definition } = collection.row
  if (operation.op === 'createRecord') {
    const json = await checkRecord(call, collection, operation.data)
    return { change: { kind: 'put-record', collectionId, recordId: newId, json, definition, create: true } }
  }
  const condition = conditionsOf(operation)
  if (operation.op === 'deleteRecord') {
    const { row, known } = await findRecord(call, collection, operation.recordId)
    return { change: { kind: 'delete-record', collectionId, recordId: row.id, known, ...condition } }
  }
  // Without a merge, a wrong record is refused before it is looked for.
  const checked = tags === undefined ? await checkRecord(call, collection, operation.data) : undefined
  const { row, known } = await findRecord(call, collection, operation.recordId)
  const about = { kind: 'put-record', collectionId, recordId: row.id, known, definition, create: false } as const
  if (checked !== undefined || tags === undefined) return { change: { ...about, json: checked ?? '', ...condition } }
  const { data, ...merged } = await mergeRecord(call, row, { data: operation.data, ifMatch: tags })
  const json = await checkRecord(call, collection, data)
  return { change: { ...about, json, ifMatch: [row.etag] }, ...merged }
}
