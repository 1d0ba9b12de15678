// Questions about collections, single records and idempotency keys.

import { toTimestamp } from '../../../model/clock.js'
import { conditionAfter, isText, isWhole, type Order, orderBy, rowsToAsk, toListing } from '../tables/cursor.js'
import type { CollectionRow, IdempotentRow, Listing, RecordRow, Slice } from '../tables/rows.js'
import type { Sql } from '../tables/sql.js'

const IN_ORDER_OF_MAKING: Order = {
  name: 'collections',
  columns: [
    { column: 'position', descending: false, holds: isWhole },
    { column: 'collection_id', descending: false, holds: isText },
  ],
}

interface StoredCollection {
  collection_id: string
  name: string
  schema: string | null
  definition: string
  etag: string
  position: number
  created_at: number
  updated_at: number
}

export interface StoredRecord {
  record_id: string
  data: string
  etag: string
  created_at: number
  updated_at: number
}

const COLLECTION_COLUMNS = 'collection_id, name, schema, definition, etag, position, created_at, updated_at'

export function findCollection(sql: Sql, siteId: string, collectionId: string): CollectionRow | undefined {
  const found = sql.first<StoredCollection>(
    `SELECT ${COLLECTION_COLUMNS} FROM collections WHERE site_id = ? AND collection_id = ? AND definition IS NOT NULL`,
    [siteId, collectionId],
  )
  return found && toCollectionRow(siteId, found)
}

export function listCollections(sql: Sql, siteId: string, slice: Slice): Listing<CollectionRow> {
  const after = conditionAfter(IN_ORDER_OF_MAKING, slice.cursor)
  const found = sql.all<StoredCollection>(
    `SELECT ${COLLECTION_COLUMNS} FROM collections WHERE site_id = ? AND definition IS NOT NULL AND (${after.text})
     ORDER BY ${orderBy(IN_ORDER_OF_MAKING)} LIMIT ?`,
    [siteId, ...after.values, rowsToAsk(slice.limit)],
  )
  return toListing(
    IN_ORDER_OF_MAKING,
    slice.limit,
    found,
    (collection) => [collection.position, collection.collection_id],
    (collection) => toCollectionRow(siteId, collection),
  )
}

/** A record of a collection that is there. */
export function findRecord(sql: Sql, siteId: string, collectionId: string, recordId: string): RecordRow | undefined {
  const found = sql.first<StoredRecord>(
    `SELECT record_id, data, etag, created_at, updated_at FROM records
     WHERE site_id = ? AND collection_id = ? AND record_id = ? AND data IS NOT NULL AND EXISTS (
       SELECT 1 FROM collections WHERE site_id = ? AND collection_id = ? AND definition IS NOT NULL)`,
    [siteId, collectionId, recordId, siteId, collectionId],
  )
  return found && toRecordRow(siteId, collectionId, found)
}

export function findIdempotencyKey(sql: Sql, siteId: string, keyHash: string): IdempotentRow | undefined {
  return sql.first<IdempotentRow>(
    'SELECT request_hash AS requestHash, commit_oid AS "commit", time FROM idempotency_keys WHERE site_id = ? AND key_hash = ?',
    [siteId, keyHash],
  )
}

export function toRecordRow(siteId: string, collectionId: string, record: StoredRecord): RecordRow {
  return {
    siteId,
    collectionId,
    id: record.record_id,
    data: JSON.parse(record.data),
    etag: record.etag,
    createdAt: toTimestamp(record.created_at),
    updatedAt: toTimestamp(record.updated_at),
  }
}

function toCollectionRow(siteId: string, collection: StoredCollection): CollectionRow {
  return {
    siteId,
    id: collection.collection_id,
    name: collection.name,
    schema: collection.schema === null ? null : JSON.parse(collection.schema),
    definition: collection.definition,
    etag: collection.etag,
    createdAt: toTimestamp(collection.created_at),
    updatedAt: toTimestamp(collection.updated_at),
  }
}
