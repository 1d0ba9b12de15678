// Progress of a site's text along the rows of its index. Rows are taken in the order of their last change. A row that is changed
// again comes once more, later.

import type { Sql } from '../tables/sql.js'

export interface TextProgress {
  /** Commit whose rows are being taken, and its position; null before the first. Rows of later commits are not taken yet. */
  target: string | null
  target_position: number
  /** Commit that the text describes, and its position; null before all rows of a first one were taken. */
  commit_oid: string | null
  position: number
  /** The last page and the last record that were taken. */
  page_changed: number
  page_id: string
  record_changed: number
  collection_id: string
  record_id: string
  /** Number of characters in the file, of pages and records. */
  characters: number
}

export function readProgress(sql: Sql): TextProgress {
  const progress = sql.first<TextProgress>('SELECT * FROM progress', [])
  if (progress === undefined) throw new Error('The text file has lost its progress.')
  return progress
}

export function storeProgress(sql: Sql, progress: TextProgress): void {
  sql.run(
    `UPDATE progress SET target = ?, target_position = ?, commit_oid = ?, position = ?,
       page_changed = ?, page_id = ?, record_changed = ?, collection_id = ?, record_id = ?, characters = ?`,
    [
      progress.target,
      progress.target_position,
      progress.commit_oid,
      progress.position,
      progress.page_changed,
      progress.page_id,
      progress.record_changed,
      progress.collection_id,
      progress.record_id,
      progress.characters,
    ],
  )
}
