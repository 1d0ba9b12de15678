// Applies the changes of one commit to collections and records. Rows of removed ones stay, but empty. So the records of a
// collection that returns are there again, and a restored row keeps the time it was made.

import type { CollectionChange, CommitFacts, RecordChange } from '../../model/commits/facts.js'
import { fieldsOf, foldedOf, instantsOf, sortKeysOf } from './record-fields.js'
import { type Sql, storable } from '../tables/sql.js'

export function applyCollections(sql: Sql, fact: CommitFacts, position: number): void {
  for (const change of fact.collections) {
    if (change.definition === null) removeCollection(sql, fact, change)
    else storeCollection(sql, fact, change.collectionId, change.definition, position)
  }
}

export function applyRecords(sql: Sql, fact: CommitFacts, position: number): void {
  for (const change of fact.records) {
    if (change.oid === null) removeRecord(sql, fact, change, position)
    else if (change.data === null) throw new Error('the data of a record were left out')
    else storeRecord(sql, fact, change, change.data, position)
  }
}

function removeCollection(sql: Sql, fact: CommitFacts, { collectionId }: CollectionChange): void {
  sql.run(
    `UPDATE collections SET name = '', schema = NULL, definition = NULL, etag = ?, updated_at = ?
     WHERE collection_id = ?`,
    [fact.oid, fact.time, collectionId],
  )
}

function storeCollection(
  sql: Sql,
  fact: CommitFacts,
  collectionId: string,
  definition: NonNullable<CollectionChange['definition']>,
  position: number,
): void {
  const { name, schema, oid } = definition
  sql.run(
    `INSERT INTO collections (collection_id, name, schema, definition, etag, position, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (collection_id) DO UPDATE SET name = excluded.name, schema = excluded.schema,
       definition = excluded.definition, etag = excluded.etag, updated_at = excluded.updated_at`,
    [
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

function removeRecord(sql: Sql, fact: CommitFacts, { collectionId, recordId }: RecordChange, position: number): void {
  sql.run(
    `UPDATE records SET data = NULL, fields = NULL, folded = NULL, instants = NULL, sort_keys = NULL, etag = ?, updated_at = ?, changed = ?
     WHERE collection_id = ? AND record_id = ?`,
    [fact.oid, fact.time, position, collectionId, recordId],
  )
}

function storeRecord(
  sql: Sql,
  fact: CommitFacts,
  { collectionId, recordId }: RecordChange,
  data: Record<string, unknown>,
  position: number,
): void {
  const { oid, time } = fact
  sql.run(
    `INSERT INTO records
       (collection_id, record_id, data, fields, folded, instants, sort_keys, etag, position, created_at, updated_at, changed)
     VALUES (?, ?, ?, jsonb(?), jsonb(?), jsonb(?), jsonb(?), ?, ?, ?, ?, ?)
     ON CONFLICT (collection_id, record_id) DO UPDATE SET data = excluded.data, fields = excluded.fields,
       folded = excluded.folded,
       instants = excluded.instants, sort_keys = excluded.sort_keys, etag = excluded.etag,
       updated_at = excluded.updated_at, changed = excluded.changed`,
    [
      collectionId,
      recordId,
      JSON.stringify(data),
      fieldsOf(data),
      foldedOf(data),
      instantsOf(data),
      sortKeysOf(data),
      oid,
      position,
      time,
      time,
      position,
    ],
  )
}
