// Collections of records, stored in the repository of the default site, or of the site that the header names.

import type { CollectionData } from '../../../schemas/collections.js'
import type { CollectionRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import type { KnownFile } from '../../repository/protocol/write.js'
import type { Written } from '../../repository/protocol/written.js'
import { conditionOf, type Conditions, DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import { quoteTag, type Result } from '../context/result.js'
import { checkSchema } from '../context/record-checks.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { siteOf } from '../context/target.js'
import { writeSite } from '../context/write-site.js'

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
  services: Services,
  context: RequestContext,
  input: SliceInput,
): Promise<Result<CollectionData[]>> {
  const site = siteOf(services, context)
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await services.indexFollower.read(site, (index) => index.collections.list(slice))
  return { data: rows.map(toCollectionData), nextCursor }
}

/** Throws `invalid_schema`, and `name_taken` if the site has a collection of this name. */
export async function createCollection(
  services: Services,
  context: RequestContext,
  input: CollectionInput,
): Promise<Result<CollectionData>> {
  const site = siteOf(services, context)
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, asCreated) },
    async (idempotency) => {
      const definition = await checkDefinition(services, context, input)
      const operation = { kind: 'put-collection', collectionId: services.newId(), ...definition, create: true } as const
      const { facts } = await writeSite(services, context, site, operation, { idempotency })
      if (facts === null) throw new ServiceError('internal', 'Creating the collection produced no commit.')
      return { result: asCreated(facts), committed: true }
    },
  )
}

export async function getCollection(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<CollectionData>> {
  const { row } = await findCollection(services, context, input.id)
  return toResult(row)
}

/** Replaces name and schema, as `createCollection`; without a schema, records may be any object. Existing ones are not checked again. */
export async function putCollection(
  services: Services,
  context: RequestContext,
  input: ResourceId & CollectionInput & Conditions,
): Promise<Result<CollectionData>> {
  const { site, row, known } = await findCollection(services, context, input.id)
  const definition = await checkDefinition(services, context, input)
  const condition = conditionOf(input)
  const operation = {
    kind: 'put-collection',
    collectionId: row.id,
    ...definition,
    create: false,
    known,
    ...condition,
  } as const
  return collectionAfter(await writeSite(services, context, site, operation), row)
}

/** Deletes the collection and its records in one commit. */
export async function deleteCollection(
  services: Services,
  context: RequestContext,
  input: ResourceId & Conditions,
): Promise<Result<ResourceId>> {
  const { site, row, known } = await findCollection(services, context, input.id)
  const operation = { kind: 'delete-collection', collectionId: row.id, known, ...conditionOf(input) } as const
  await writeSite(services, context, site, operation)
  return { data: { id: row.id } }
}

/** Throws `collection_not_found`. */
export async function findCollection(
  services: Services,
  context: RequestContext,
  collectionId: string,
): Promise<FoundCollection> {
  return await findCollectionIn(services, siteOf(services, context), collectionId)
}

/** Throws `collection_not_found`. */
export async function findCollectionIn(services: Services, site: Site, collectionId: string): Promise<FoundCollection> {
  const found = await services.indexFollower.read(site, (index, asOf) => {
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
  { tasks }: Services,
  context: RequestContext,
  { name, schema = null }: CollectionInput,
): Promise<{ name: string; schema: object | null }> {
  if (schema !== null) await checkSchema(tasks, context.target.workspace.id, schema)
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
