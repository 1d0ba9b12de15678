// Records of a collection: list and search, create, read, replace, delete. A written record fits the collection's schema at the moment of
// the write.

import type { RecordData } from '../../../schemas/collections.js'
import type { FieldFilter, FieldSort, RecordRow } from '../../index/tables/rows.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import type { KnownFile } from '../../repository/protocol/write.js'
import { type FoundCollection, findCollection, findCollectionIn } from './collections.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import { putCheckedRecord } from './put-checked-record.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { siteOf } from '../context/target.js'
import { writeSite } from '../context/write-site.js'

export interface RecordId extends ResourceId {
  recordId: string
}

export interface ListRecordsInput extends ResourceId, SliceInput {
  /** Words that must all occur. */
  q?: string
  filter?: readonly FieldFilter[]
  /** Field names in order of precedence; `-` before one sorts it in descending order: `price,-name`. */
  sort?: string
}

interface Body {
  data: Record<string, unknown>
}

/** Throws `invalid_query` for fields that the schema rules out. */
export async function listRecords(
  services: Services,
  context: RequestContext,
  input: ListRecordsInput,
): Promise<Result<RecordData[]>> {
  const { site, row } = await findCollection(services, context, input.id)
  const { q, filter, cursor, limit = DEFAULT_LIMIT } = input
  const query = { q, filter, sort: parseSort(input.sort), cursor, limit, schema: row.schema }
  const { tasks, indexFollower } = services
  const isSearch = q !== undefined && q.trim() !== ''
  if (!isSearch && query.filter === undefined && query.sort.length === 0) {
    const small = await indexFollower.read(site, (index) => index.records.listSmall(row.id, { cursor, limit }))
    if (small !== undefined) return { data: small.rows.map(toRecordData), nextCursor: small.nextCursor }
  }
  const { rows, nextCursor } = await indexFollower.ask(site, isSearch, (from) =>
    tasks.run('listRecords', { ...from, collectionId: row.id, query }, { workspaceId: site.workspaceId }),
  )
  return { data: rows.map(toRecordData), nextCursor }
}

/** Throws `invalid_record` with the faulty fields. */
export async function createRecord(
  services: Services,
  context: RequestContext,
  input: ResourceId & Body,
): Promise<Result<RecordData>> {
  const site = siteOf(services, context)
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, asCreated) },
    async (idempotency) => {
      const change = { recordId: services.newId(), data: input.data, create: true }
      const collection = await findCollectionIn(services, site, input.id)
      const { facts } = await putCheckedRecord(services, context, collection, change, { idempotency })
      if (facts === null) throw new ServiceError('internal', 'Creating the record produced no commit.')
      return { result: asCreated(facts, input.data), committed: true }
    },
  )
}

export async function getRecord(
  services: Services,
  context: RequestContext,
  input: RecordId,
): Promise<Result<RecordData>> {
  const { row } = await findRecord(services, await findCollection(services, context, input.id), input.recordId)
  return toResult(row)
}

/** Replaces the whole record. Throws `record_not_found`, `invalid_record`. */
export async function putRecord(
  services: Services,
  context: RequestContext,
  input: RecordId & Body & Conditions,
): Promise<Result<RecordData>> {
  const collection = await findCollection(services, context, input.id)
  const { row, known } = await findRecord(services, collection, input.recordId)
  const change = { recordId: row.id, data: input.data, create: false, known, ...conditionOf(input) }
  const { facts } = await putCheckedRecord(services, context, collection, change)
  return toResult(facts === null ? row : rowFrom(facts, input.data, row))
}

export async function deleteRecord(
  services: Services,
  context: RequestContext,
  input: RecordId & Conditions,
): Promise<Result<{ id: string }>> {
  const collection = await findCollection(services, context, input.id)
  const { row, known } = await findRecord(services, collection, input.recordId)
  const { collectionId, id: recordId } = row
  const operation = { kind: 'delete-record', collectionId, recordId, known, ...conditionOf(input) } as const
  await writeSite(services, context, collection.site, operation)
  return { data: { id: recordId } }
}

/** Throws `record_not_found`. */
export async function findRecord(
  services: Services,
  { site, row: collection }: FoundCollection,
  recordId: string,
): Promise<{ row: RecordRow; known: KnownFile }> {
  const found = await services.indexFollower.read(site, (index, asOf) => {
    const row = index.records.find(collection.id, recordId.toLowerCase())
    return row && { row, known: { lastChange: row.etag, asOf } }
  })
  if (found !== undefined) return found
  throw new ServiceError('record_not_found', 'There is no record with this id in this collection.')
}

function parseSort(sort: string | undefined): FieldSort[] {
  const names = sort === undefined ? [] : sort.split(',').map((name) => name.trim())
  const [, worded] = names.flatMap((name) => /^(.+?)\s+(?:asc|desc)$/i.exec(name) ?? [])
  if (worded !== undefined) {
    throw new ServiceError('invalid_query', `A sort has no words: write "${worded}", or "-${worded}" for descending.`)
  }
  return names.map((name) => ({ field: name.replace(/^-/, ''), descending: name.startsWith('-') }))
}

/** Answers 201. `sent` is the data if the facts come from the writer, which leaves it out. */
function asCreated(facts: CommitFacts, sent?: RecordRow['data']): Result<RecordData> {
  const row = rowFrom(facts, sent)
  return { ...toResult(row), created: true, location: `/collections/${row.collectionId}/records/${row.id}` }
}

/** Returns the record as the commit left it. */
function rowFrom(facts: CommitFacts, sent?: RecordRow['data'], before?: RecordRow): Omit<RecordRow, 'siteId'> {
  const [change] = facts.records
  const data = change?.data ?? sent
  if (change === undefined || change.oid === null || data === undefined) {
    throw new ServiceError('record_not_found', 'The commit that made this record is no longer in the history.')
  }
  const { collectionId, recordId: id } = change
  const time = toTimestamp(facts.time)
  return { collectionId, id, data, etag: facts.oid, createdAt: before?.createdAt ?? time, updatedAt: time }
}

function toResult(row: Omit<RecordRow, 'siteId'>): Result<RecordData> {
  return { data: toRecordData(row), etag: quoteTag(row.etag) }
}

function toRecordData(row: Omit<RecordRow, 'siteId'>): RecordData {
  const { id, collectionId, data, etag, createdAt, updatedAt } = row
  return { id, collectionId, data, etag: quoteTag(etag), createdAt, updatedAt }
}
