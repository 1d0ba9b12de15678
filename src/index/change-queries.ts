// The rows that commits changed, in the order of their last change. Data derived from the rows (such as text) follows them.

import type { RowReader } from './tables/sql.js'

export interface ChangedPage {
  changed: number
  page_id: string
  path: string
  title: string | null
  status: 'published' | 'unpublished' | 'gone'
  blob: string | null
}

export interface ChangedRecord {
  changed: number
  collection_id: string
  record_id: string
  /** JSON; null if the record was removed. */
  data: string | null
}

export class ChangeQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** Lists the pages after `after` that were last changed at or before the position `upTo`. */
  pages(after: Pick<ChangedPage, 'changed' | 'page_id'>, upTo: number, limit: number): ChangedPage[] {
    return this.#rows.all<ChangedPage>(
      `SELECT changed, page_id, path, title, status, blob FROM pages INDEXED BY pages_by_change
       WHERE (changed, page_id) > (?, ?) AND changed <= ? ORDER BY changed, page_id LIMIT ?`,
      [after.changed, after.page_id, upTo, limit],
    )
  }

  /** Lists the records after `after` that were last changed at or before the position `upTo`. */
  records(
    after: Pick<ChangedRecord, 'changed' | 'collection_id' | 'record_id'>,
    upTo: number,
    limit: number,
  ): ChangedRecord[] {
    return this.#rows.all<ChangedRecord>(
      `SELECT changed, collection_id, record_id, data FROM records INDEXED BY records_by_change
       WHERE (changed, collection_id, record_id) > (?, ?, ?) AND changed <= ?
       ORDER BY changed, collection_id, record_id LIMIT ?`,
      [after.changed, after.collection_id, after.record_id, upTo, limit],
    )
  }
}
