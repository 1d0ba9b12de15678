// Applies the changes of one commit to collections and records. Rows of removed ones stay, empty: a record whose collection
// returns is there again, and what is put back keeps the time it was made.

import type { CollectionChange, CommitFacts, RecordChange } from '../../../model/commits/facts.js'
import { fieldsOf } from './record-fields.js'
import { type Sql, storable } from '../tables/sql.js'

export function applyCollections(sql: Sql, siteId: string, fact: CommitFacts, position: number): void {
  for (const change of fact.collections) {
    if (change.definition === null) removeCollection(sql, siteId, fact, change)
    else storeCollection(sql, siteId, fact, change.collectionId, change.definition, position)
  }
}

export function applyRecords(sql: Sql, siteId: string, fact: CommitFacts, position: number): void {
  for (const change of fact.records) {
    if (change.oid === null) removeRecord(sql, siteId, fact, change, position)
    else if (change.data === null) throw new Error('the data of a record were left out')
    else storeRecord(sql, siteId, fact, change, change.data, position)
  }
}

function removeCollection(sql: Sql, siteId: string, fact: CommitFacts, { collectionId }: CollectionChange): void {
  sql.run(
    `UPDATE collections SET name = '', schema = NULL, definition = NULL, etag = ?, updated_at = ?
     WHERE site_id = ? AND collection_id = ?`,
    [fact.oid, fact.time, siteId, collectionId],
  )
}

function storeCollection(
  sql: Sql,
  siteId: string,
  fact: CommitFacts,
  collectionId: string,
  definition: NonNullable<CollectionChange['definition']>,
  position: number,
): void {
  const { name, schema, oid } = definition
  sql.run(
    `INSERT INTO collections (site_id, collection_id, name, schema, definition, etag, position, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (site_id, collection_id) DO UPDATE SET name = excluded.name, schema = excluded.schema,
       definition = excluded.definition, etag = excluded.etag, updated_at = excluded.updated_at`,
    [
      siteId,
      collectionId,
      storable(name),
      schema === null ? null : JSON.stringify(schema),
      oid,
      fact.oid,
      position,
      fact.time,
      fact.time,
    ],
  )
}

function removeRecord(
  sql: Sql,
  siteId: string,
  fact: CommitFacts,
  { collectionId, recordId }: RecordChange,
  position: number,
): void {
  sql.run(
    `UPDATE records SET data = NULL, fields = NULL, etag = ?, updated_at = ?, changed = ?
     WHERE site_id = ? AND collection_id = ? AND record_id = ?`,
    [fact.oid, fact.time, position, siteId, collectionId, recordId],
  )
}

function storeRecord(
  sql: Sql,
  siteId: string,
  fact: CommitFacts,
  { collectionId, recordId }: RecordChange,
  data: Record<string, unknown>,
  position: number,
): void {
  const { oid, time } = fact
  sql.run(
    `INSERT INTO records
       (site_id, collection_id, record_id, data, fields, etag, position, created_at, updated_at, changed)
     VALUES (?, ?, ?, ?, jsonb(?), ?, ?, ?, ?, ?)
     ON CONFLICT (site_id, collection_id, record_id) DO UPDATE SET data = excluded.data, fields = excluded.fields,
       etag = excluded.etag, updated_at = excluded.updated_at, changed = excluded.changed`,
    [siteId, collectionId, recordId, JSON.stringify(data), fieldsOf(data), oid, position, time, time, position],
  )
}
