// Questions about records: one by its id, and lists that are searched, filtered and sorted.

import { ServiceError } from '../../model/errors.js'
import { toTimestamp } from '../../model/clock.js'
import {
  conditionAfter,
  isScalar,
  isText,
  isWhole,
  type Order,
  orderBy,
  rowsToAsk,
  toListing,
} from '../tables/cursor.js'
import { type FieldType, fieldTypeOf, jsonPathOf, refuseUnlisted } from './field-type.js'
import { filterConditions } from './record-filter.js'
import type { FieldSort, Listing, RecordQuery, RecordRow, Slice } from '../tables/rows.js'
import { type Condition, joinConditions, type RowReader, type SqlValue } from '../tables/sql.js'

const MAX_SORTS = 4

/** A list ends before the record with which its data would exceed this many bytes. */
const MAX_LISTED_BYTES = 8 * 1024 * 1024
/** Bytes that are read and parsed within a millisecond or two. */
const MAX_SMALL_BYTES = 256 * 1024

interface StoredRecord {
  record_id: string
  data: string
  etag: string
  created_at: number
  updated_at: number
}

/** A record of a slice, with the values that order it. */
type ChosenRecord = { row_id: number; record_id: string; bytes: number } & Record<string, SqlValue>

const BYTES = 'octet_length(data) AS bytes'

export class RecordQueries {
  readonly #rows: RowReader
  readonly #siteId: string

  constructor(rows: RowReader, siteId: string) {
    this.#rows = rows
    this.#siteId = siteId
  }

  /**
   * Lists at most 8 MiB of records; empty if the collection does not exist. Looks at every record of the collection if the query
   * filters or sorts. Throws `invalid_query` and `invalid_cursor`.
   */
  list(collectionId: string, query: RecordQuery): Listing<RecordRow> {
    const order = orderOf(query.sort ?? [], query.schema)
    for (const { field } of [...(query.filter ?? []), ...(query.sort ?? [])])
      refuseUnlisted(query.schema, field, () => this.#hasField(collectionId, field))
    const found = this.#choose(collectionId, query, order)
    return this.#read(collectionId, order, Math.min(query.limit, countFitting(found)), found)
  }

  /**
   * Lists records without filter or sort, along the index. Undefined if the records together exceed `MAX_SMALL_BYTES`. Throws
   * `invalid_cursor`.
   */
  listSmall(collectionId: string, slice: Slice): Listing<RecordRow> | undefined {
    const order = orderOf([], null)
    const found = this.#choose(collectionId, { ...slice, schema: null }, order)
    const bytes = found.reduce((sum, record) => sum + record.bytes, 0)
    return bytes > MAX_SMALL_BYTES ? undefined : this.#read(collectionId, order, slice.limit, found)
  }

  /** Whether any record of the collection has the field, also as null. */
  #hasField(collectionId: string, field: string): boolean {
    const found = this.#rows.first(
      'SELECT 1 FROM records WHERE collection_id = ? AND data IS NOT NULL AND json_type(fields, ?) IS NOT NULL LIMIT 1',
      [collectionId, jsonPathOf(field)],
    )
    return found !== undefined
  }

  /** Chooses the records of a slice, without their data. */
  #choose(collectionId: string, query: RecordQuery, order: Order): ChosenRecord[] {
    const where = joinConditions(recordConditions(collectionId, query), 'AND')
    const after = conditionAfter(order, query.cursor)
    const keys = (query.sort ?? []).map(({ field }, at) => sortKey(field, fieldTypeOf(query.schema, field), at))
    return this.#rows.all<ChosenRecord>(
      `SELECT * FROM (
         SELECT ${['row_id', 'position', 'record_id', BYTES, ...keys.map(({ text }) => text)].join(', ')}
         FROM records WHERE ${where.text})
       WHERE ${after.text} ORDER BY ${orderBy(order)} LIMIT ?`,
      [...keys.flatMap(({ values }) => values), ...where.values, ...after.values, rowsToAsk(query.limit)],
    )
  }

  #read(collectionId: string, order: Order, limit: number, found: readonly ChosenRecord[]): Listing<RecordRow> {
    const keyOf = (row: ChosenRecord) => order.columns.map(({ column }) => row[column] ?? null)
    return toListing(order, limit, found, keyOf, ({ row_id }) => {
      const record = this.#rows.first<StoredRecord>(
        'SELECT record_id, data, etag, created_at, updated_at FROM records WHERE row_id = ?',
        [row_id],
      )
      if (record === undefined) throw new Error('A record is gone within one moment.')
      return toRecordRow(this.#siteId, collectionId, record)
    })
  }

  /** Finds a record of an existing collection. */
  find(collectionId: string, recordId: string): RecordRow | undefined {
    const found = this.#rows.first<StoredRecord>(
      `SELECT record_id, data, etag, created_at, updated_at FROM records
       WHERE collection_id = ? AND record_id = ? AND data IS NOT NULL AND EXISTS (
         SELECT 1 FROM collections WHERE collection_id = ? AND definition IS NOT NULL)`,
      [collectionId, recordId, collectionId],
    )
    return found && toRecordRow(this.#siteId, collectionId, found)
  }
}

function recordConditions(collectionId: string, query: RecordQuery): Condition[] {
  const conditions: Condition[] = [
    { text: 'collection_id = ? AND data IS NOT NULL', values: [collectionId] },
    {
      text: 'EXISTS (SELECT 1 FROM collections WHERE collection_id = ? AND definition IS NOT NULL)',
      values: [collectionId],
    },
    ...filterConditions(query.filter ?? [], query.schema),
  ]
  if (query.among !== undefined) {
    conditions.push({ text: 'record_id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(query.among)] })
  }
  return conditions
}

/** Returns the order of a list; id breaks ties. The name contains the sort, so that a cursor of another sort is refused. */
function orderOf(sort: readonly FieldSort[], schema: object | null): Order {
  if (sort.length > MAX_SORTS) throw new ServiceError('invalid_query', `At most ${MAX_SORTS} fields to sort by.`)
  const id = { column: 'record_id', descending: false, holds: isText }
  if (sort.length === 0) {
    return { name: 'records', columns: [{ column: 'position', descending: false, holds: isWhole }, id] }
  }
  for (const { field } of sort) fieldTypeOf(schema, field)
  const columns = sort.map(({ descending }, at) => ({ column: `key${at}`, descending, holds: isScalar }))
  return {
    name: JSON.stringify(['records', ...sort.map(({ field, descending }) => [field, descending])]),
    columns: [...columns, id],
  }
}

/**
 * Returns SQL for the value to compare. Missing, null, lists and objects come first, then numbers and booleans (false is 0, true
 * is 1), then texts by their keys (sort-key.ts). Times come with the numbers. Numbers are made floating, as a cursor returns them.
 */
function sortKey(field: string, type: FieldType, at: number): Condition {
  const path = jsonPathOf(field)
  const instants = type === 'instant' ? 'instants' : 'NULL'
  return {
    text: `CASE json_type(fields, ?)
      WHEN 'text' THEN coalesce(CAST(json_extract(${instants}, ?) AS REAL), json_extract(sort_keys, ?))
      WHEN 'array' THEN NULL WHEN 'object' THEN NULL
      ELSE CAST(json_extract(fields, ?) AS REAL) END AS key${at}`,
    values: [path, path, path, path],
  }
}

/** Counts the records that fit into one list: at least one. */
function countFitting(found: readonly ChosenRecord[]): number {
  let bytes = 0
  const past = found.findIndex((record, at) => (bytes += record.bytes) > MAX_LISTED_BYTES && at > 0)
  return past === -1 ? found.length : past
}

function toRecordRow(siteId: string, collectionId: string, record: StoredRecord): RecordRow {
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
