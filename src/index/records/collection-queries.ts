// Questions about collections.

import { toTimestamp } from '../../model/clock.js'
import { conditionAfter, isText, isWhole, type Order, orderBy, rowsToAsk, toListing } from '../tables/cursor.js'
import type { CollectionRow, Listing, Slice } from '../tables/rows.js'
import type { RowReader } from '../tables/sql.js'

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

const COLLECTION_COLUMNS = 'collection_id, name, schema, definition, etag, position, created_at, updated_at'

export class CollectionQueries {
  readonly #rows: RowReader
  readonly #siteId: string

  constructor(rows: RowReader, siteId: string) {
    this.#rows = rows
    this.#siteId = siteId
  }

  find(collectionId: string): CollectionRow | undefined {
    const found = this.#rows.first<StoredCollection>(
      `SELECT ${COLLECTION_COLUMNS} FROM collections WHERE collection_id = ? AND definition IS NOT NULL`,
      [collectionId],
    )
    return found && toCollectionRow(this.#siteId, found)
  }

  /** Finds the ids of the collections with that name; at most two. */
  idsNamed(name: string): string[] {
    return this.#rows
      .all<{ collection_id: string }>(
        'SELECT collection_id FROM collections WHERE name = ? AND definition IS NOT NULL LIMIT 2',
        [name],
      )
      .map((found) => found.collection_id)
  }

  /** Lists collections in the order they were made. Throws `invalid_cursor`. */
  list(slice: Slice): Listing<CollectionRow> {
    const after = conditionAfter(IN_ORDER_OF_MAKING, slice.cursor)
    const found = this.#rows.all<StoredCollection>(
      `SELECT ${COLLECTION_COLUMNS} FROM collections WHERE definition IS NOT NULL AND (${after.text})
       ORDER BY ${orderBy(IN_ORDER_OF_MAKING)} LIMIT ?`,
      [...after.values, rowsToAsk(slice.limit)],
    )
    return toListing(
      IN_ORDER_OF_MAKING,
      slice.limit,
      found,
      (collection) => [collection.position, collection.collection_id],
      (collection) => toCollectionRow(this.#siteId, collection),
    )
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
