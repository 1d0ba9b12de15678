// Questions about records: one by its id, and lists that are searched, filtered and sorted.

import { ServiceError } from '../../../model/errors.js'
import { toTimestamp } from '../../../model/clock.js'
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
import { fieldTypeOf, jsonPathOf } from './field-type.js'
import { filterConditions } from './record-filter.js'
import { matchOf } from './record-text.js'
import type { FieldSort, Listing, RecordQuery, RecordRow } from '../tables/rows.js'
import { type Condition, joinConditions, type RowReader, type SqlValue } from '../tables/sql.js'

const MAX_SORTS = 4
/** Longer texts are sorted by their beginning, so that a cursor stays short. */
const MAX_SORTED_CHARACTERS = 256

interface StoredRecord {
  record_id: string
  data: string
  etag: string
  created_at: number
  updated_at: number
}

export class RecordQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** An empty list for a collection that is not there. Throws `invalid_query` and `invalid_cursor`. */
  list(siteId: string, collectionId: string, query: RecordQuery): Listing<RecordRow> {
    const sort = query.sort ?? []
    const order = orderOf(sort, query.schema)
    const where = joinConditions(recordConditions(siteId, collectionId, query), 'AND')
    const after = conditionAfter(order, query.cursor)
    const keys = sort.map(({ field }, at) => sortKey(field, at))
    // The slice is chosen without the data, which is read for its rows alone.
    const found = this.#rows.all<StoredRecord & Record<string, SqlValue>>(
      `SELECT slice.*, records.data, records.etag, records.created_at, records.updated_at FROM (
         SELECT * FROM (
           SELECT ${['row_id', 'position', 'record_id', ...keys.map(({ text }) => text)].join(', ')}
           FROM records WHERE ${where.text})
         WHERE ${after.text} ORDER BY ${orderBy(order)} LIMIT ?) AS slice
       JOIN records ON records.row_id = slice.row_id ORDER BY ${orderBy(withTable(order, 'slice'))}`,
      [...keys.flatMap(({ values }) => values), ...where.values, ...after.values, rowsToAsk(query.limit)],
    )
    const keyOf = (row: Record<string, SqlValue>) => order.columns.map(({ column }) => row[column] ?? null)
    return toListing(order, query.limit, found, keyOf, (row) => toRecordRow(siteId, collectionId, row))
  }

  /** A record of a collection that is there. */
  find(siteId: string, collectionId: string, recordId: string): RecordRow | undefined {
    const found = this.#rows.first<StoredRecord>(
      `SELECT record_id, data, etag, created_at, updated_at FROM records
       WHERE site_id = ? AND collection_id = ? AND record_id = ? AND data IS NOT NULL AND EXISTS (
         SELECT 1 FROM collections WHERE site_id = ? AND collection_id = ? AND definition IS NOT NULL)`,
      [siteId, collectionId, recordId, siteId, collectionId],
    )
    return found && toRecordRow(siteId, collectionId, found)
  }
}

function recordConditions(siteId: string, collectionId: string, query: RecordQuery): Condition[] {
  const conditions: Condition[] = [
    { text: 'site_id = ? AND collection_id = ? AND data IS NOT NULL', values: [siteId, collectionId] },
    {
      text: 'EXISTS (SELECT 1 FROM collections WHERE site_id = ? AND collection_id = ? AND definition IS NOT NULL)',
      values: [siteId, collectionId],
    },
    ...filterConditions(query.filter ?? [], query.schema),
  ]
  const match = matchOf(siteId, collectionId, query.q ?? '')
  if (match !== undefined) {
    conditions.push({ text: 'row_id IN (SELECT rowid FROM record_text WHERE record_text MATCH ?)', values: [match] })
  }
  return conditions
}

/** Ties are broken by id. The name holds the sort, so that a cursor of another sort is refused. */
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
 * One value to compare from whatever the field holds: missing, null, lists and objects come first, then numbers and
 * booleans (false is 0, true is 1), then texts by code point. Numbers are made floating, as a cursor gives them back.
 */
function sortKey(field: string, at: number): Condition {
  const path = jsonPathOf(field)
  return {
    text: `CASE json_type(fields, ?)
      WHEN 'text' THEN substr(json_extract(fields, ?), 1, ${MAX_SORTED_CHARACTERS})
      WHEN 'array' THEN NULL WHEN 'object' THEN NULL
      ELSE CAST(json_extract(fields, ?) AS REAL) END AS key${at}`,
    values: [path, path, path],
  }
}

function withTable(order: Order, table: string): Order {
  return { ...order, columns: order.columns.map((column) => ({ ...column, column: `${table}.${column.column}` })) }
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
