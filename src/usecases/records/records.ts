// Records of a collection: list and search, create, read, replace, delete. A written record fits the collection's schema at the moment of
// the write.

import type { RecordData } from '../../../schemas/collections.js'
import type { MergedWithChange } from '../../../schemas/merging.js'
import type { FieldFilter, FieldSort, RecordRow } from '../../index/tables/rows.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { MAX_RECORD_FILE_BYTES, recordPathOf } from '../../repository/format/site-format.js'
import type { KnownFile } from '../../repository/protocol/write.js'
import { type FoundCollection, findCollection, findCollectionIn } from './collections.js'
import type { AtSite, Call, Reading, Writing } from '../context/call.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import { changeSite } from '../context/change-site.js'
import { baseTags, isOvertaken, type OnConflict, withMerged } from '../merging/on-conflict.js'
import { mergeJsonFile } from './merge-record.js'
import { toPutRecord } from './put-record.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'

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
  call: Call<'catalog' | 'indexFollower' | 'tasks'>,
  input: ListRecordsInput,
): Promise<Result<RecordData[]>> {
  const { site, row } = await findCollection(call, input.id)
  const { q, filter, cursor, limit = DEFAULT_LIMIT } = input
  const query = { q, filter, sort: parseSort(input.sort), cursor, limit, schema: row.schema }
  const { tasks, indexFollower } = call
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
  asked: Call<Writing | 'newId' | 'tasks'>,
  input: ResourceId & Body,
): Promise<Result<RecordData>> {
  const call = { ...asked, site: siteOf(asked) }
  const change = { recordId: call.newId(), data: input.data, create: true }
  return await changeSite(call, {
    input,
    plan: async () => ({ operation: await toPutRecord(call, await findCollectionIn(call, input.id), change) }),
    answer: ({ facts }) => {
      if (facts === null) throw new ServiceError('internal', 'Creating the record produced no commit.')
      return asCreated(facts, input.data)
    },
    replay: (facts) => asCreated(facts),
  })
}

export async function getRecord(call: Call<'catalog' | 'indexFollower'>, input: RecordId): Promise<Result<RecordData>> {
  const { row } = await findRecord(call, await findCollection(call, input.id), input.recordId)
  return toResult(row)
}

/** Replaces the whole record. Throws `record_not_found`, `invalid_record`; with `onConflict` also `merge_conflict`. */
export async function putRecord(
  asked: Call<Writing | 'tasks'>,
  { onConflict, ...input }: RecordId & Body & Conditions & OnConflict,
): Promise<Result<RecordData>> {
  const call = { ...asked, site: siteOf(asked) }
  const tags = onConflict && baseTags(input)
  return await changeSite(call, {
    input,
    plan: async () => {
      const collection = await findCollectionIn(call, input.id)
      const { row, known } = await findRecord(call, collection, input.recordId)
      const merged = tags && (await mergeRecord(call, row, { data: input.data, ifMatch: tags }))
      const { data, mergedWith } = merged ?? { data: input.data }
      const condition = merged === undefined ? conditionOf(input) : { ifMatch: [row.etag] }
      const change = { recordId: row.id, data, create: false, known, ...condition }
      return { operation: await toPutRecord(call, collection, change), row, data, mergedWith }
    },
    answer: ({ facts }, { row, data, mergedWith }) =>
      withMerged(toResult(facts === null ? row : rowFrom(facts, data, row)), mergedWith),
    ...(tags && { isOvertaken }),
  })
}

/** Merges the data with the newest version of the record. Throws `merge_conflict`, `precondition_failed`. */
export async function mergeRecord(
  call: AtSite<Reading | 'tasks'>,
  { collectionId, id, data: fields, etag, updatedAt }: RecordRow,
  { data, ifMatch }: Body & { ifMatch: readonly string[] },
): Promise<Body & { mergedWith?: MergedWithChange }> {
  const file = { noun: 'record', treePath: recordPathOf(collectionId, id), maxBytes: MAX_RECORD_FILE_BYTES } as const
  const merged = await mergeJsonFile(call, { ...file, now: { fields, etag, updatedAt }, sent: data, ifMatch })
  return { ...merged, data: { ...merged.fields } }
}

export async function deleteRecord(
  asked: Call<Writing>,
  input: RecordId & Conditions,
): Promise<Result<{ id: string }>> {
  const call = { ...asked, site: siteOf(asked) }
  const { row, known } = await findRecord(call, await findCollectionIn(call, input.id), input.recordId)
  const { collectionId, id: recordId } = row
  const operation = { kind: 'delete-record', collectionId, recordId, known, ...conditionOf(input) } as const
  return await changeSite(call, { input, plan: () => ({ operation }), answer: () => ({ data: { id: recordId } }) })
}

/** Throws `record_not_found`. */
export async function findRecord(
  services: Pick<Services, 'indexFollower'>,
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
