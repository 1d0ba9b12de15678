// Collections of records, stored in the repository of the default site, or of the site that the header names.

import type { CollectionData } from '../../../schemas/collections.js'
import type { MergedWithChange } from '../../../schemas/merging.js'
import type { CollectionRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { collectionPathOf, MAX_COLLECTION_BYTES } from '../../repository/format/site-format.js'
import type { KnownFile } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import type { AtSite, Call, Reading, Writing } from '../context/call.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import { changeSite } from '../context/change-site.js'
import { quoteTag, type Result } from '../context/result.js'
import { baseTags, isOvertaken, type OnConflict, withMerged } from '../merging/on-conflict.js'
import { mergeJsonFile } from './merge-record.js'
import { checkSchema } from './record-checks.js'
import { siteOf } from '../context/target.js'

export interface CollectionInput {
  name: string
  schema?: object | null
}

export interface FoundCollection {
  site: Site
  row: CollectionRow
  known: KnownFile
}

/** Lists the oldest first. */
export async function listCollections(
  asked: Call<'catalog' | 'indexFollower'>,
  input: SliceInput,
): Promise<Result<CollectionData[]>> {
  const call = { ...asked, site: siteOf(asked) }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await call.indexFollower.read(call.site, (index) => index.collections.list(slice))
  return { data: rows.map(toCollectionData), nextCursor }
}

/** Throws `invalid_schema`, and `name_taken` if the site has a collection of this name. */
export async function createCollection(
  asked: Call<Writing | 'newId' | 'tasks'>,
  input: CollectionInput,
): Promise<Result<CollectionData>> {
  const call = { ...asked, site: siteOf(asked) }
  return await changeSite(call, {
    input,
    plan: async () => {
      const definition = await checkDefinition(call, input)
      return { operation: { kind: 'put-collection', collectionId: call.newId(), ...definition, create: true } }
    },
    answer: ({ facts }) => {
      if (facts === null) throw new ServiceError('internal', 'Creating the collection produced no commit.')
      return asCreated(facts)
    },
    replay: asCreated,
  })
}

export async function getCollection(
  call: Call<'catalog' | 'indexFollower'>,
  input: ResourceId,
): Promise<Result<CollectionData>> {
  const { row } = await findCollection(call, input.id)
  return toResult(row)
}

/**
 * Replaces name and schema, as `createCollection`; without a schema, records may be any object. Existing ones are not checked again. With
 * `onConflict`, throws `merge_conflict` if others changed the same since.
 */
export async function putCollection(
  asked: Call<Writing | 'tasks'>,
  { onConflict, ...input }: ResourceId & CollectionInput & Conditions & OnConflict,
): Promise<Result<CollectionData>> {
  const tags = onConflict && baseTags(input)
  const call = { ...asked, site: siteOf(asked) }
  return await changeSite(call, {
    input,
    plan: async () => {
      const { row, known } = await findCollectionIn(call, input.id)
      const merged = tags && (await mergeDefinition(call, row, input, tags))
      const definition = await checkDefinition(call, merged ?? input)
      const condition = merged === undefined ? conditionOf(input) : { ifMatch: [row.etag] }
      const identity = { kind: 'put-collection', collectionId: row.id, create: false, known } as const
      return { operation: { ...identity, ...definition, ...condition }, row, mergedWith: merged?.mergedWith }
    },
    answer: (written, { row, mergedWith }) => withMerged(collectionAfter(written, row), mergedWith),
    ...(tags && { isOvertaken }),
  })
}

async function mergeDefinition(
  call: AtSite<Reading | 'tasks'>,
  { id, name, schema, etag, updatedAt }: CollectionRow,
  sent: CollectionInput,
  ifMatch: readonly string[],
): Promise<CollectionInput & { mergedWith?: MergedWithChange }> {
  const file = { noun: 'collection', treePath: collectionPathOf(id), maxBytes: MAX_COLLECTION_BYTES } as const
  const now = { fields: { name, schema }, etag, updatedAt }
  const fields = { name: sent.name, schema: sent.schema ?? null }
  const merged = await mergeJsonFile(call, { ...file, now, sent: fields, ifMatch, names: ['name', 'schema'] })
  const { mergedWith } = merged
  return { ...(merged.fields as unknown as CollectionInput), ...(mergedWith && { mergedWith }) }
}

/** Deletes the collection and its records in one commit. */
export async function deleteCollection(
  asked: Call<Writing>,
  input: ResourceId & Conditions,
): Promise<Result<ResourceId>> {
  const { site, row, known } = await findCollection(asked, input.id)
  const operation = { kind: 'delete-collection', collectionId: row.id, known, ...conditionOf(input) } as const
  return await changeSite(
    { ...asked, site },
    { input, plan: () => ({ operation }), answer: () => ({ data: { id: row.id } }) },
  )
}

/** Throws `collection_not_found`. */
export async function findCollection(
  call: Call<'catalog' | 'indexFollower'>,
  collectionId: string,
): Promise<FoundCollection> {
  return await findCollectionIn({ ...call, site: siteOf(call) }, collectionId)
}

/** Throws `collection_not_found`. */
export async function findCollectionIn(call: AtSite<'indexFollower'>, collectionId: string): Promise<FoundCollection> {
  const { site } = call
  const found = await call.indexFollower.read(site, (index, asOf) => {
    const row = index.collections.find(collectionId.toLowerCase())
    return row && { site, row, known: { lastChange: row.etag, asOf } }
  })
  if (found !== undefined) return found
  throw new ServiceError(
    'collection_not_found',
    'There is no collection with this id in this site: GET /collections lists its collections.',
  )
}

async function checkDefinition(
  call: Call<'tasks'>,
  { name, schema = null }: CollectionInput,
): Promise<{ name: string; schema: object | null }> {
  const { tasks } = call
  if (schema !== null) await checkSchema(tasks, call.target.workspace.id, schema)
  return { name, schema }
}

function asCreated(facts: CommitFacts): Result<CollectionData> {
  const row = rowFrom(facts, undefined)
  return { ...toResult(row), created: true, location: `/collections/${row.id}` }
}

function collectionAfter({ facts }: Written, before: CollectionRow): Result<CollectionData> {
  return toResult(facts === null ? before : rowFrom(facts, before))
}

/** Returns the collection as the commit left it. */
function rowFrom(facts: CommitFacts, before: CollectionRow | undefined): Omit<CollectionRow, 'siteId' | 'definition'> {
  const [change] = facts.collections
  if (change === undefined || change.definition === null) {
    throw new ServiceError('collection_not_found', 'The commit that made this collection is no longer in the history.')
  }
  const time = toTimestamp(facts.time)
  const { name, schema } = change.definition
  const createdAt = before?.createdAt ?? time
  return { id: change.collectionId, name, schema, etag: facts.oid, createdAt, updatedAt: time }
}

function toResult(row: Omit<CollectionRow, 'siteId' | 'definition'>): Result<CollectionData> {
  return { data: toCollectionData(row), etag: quoteTag(row.etag) }
}

function toCollectionData(row: Omit<CollectionRow, 'siteId' | 'definition'>): CollectionData {
  const { id, name, schema, createdAt, updatedAt } = row
  return { id, name, schema, createdAt, updatedAt }
}
