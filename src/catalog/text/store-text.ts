// Puts pages and records into a site's text file, and takes them out.

import { deflateRawSync } from 'node:zlib'
import type { PageText } from '../../texts/page-text.js'
import type { Sql } from '../index/tables/sql.js'
import { wordsOf } from './words.js'

/** More of a record is not searched. */
const MAX_RECORD_CHARACTERS = 1024 * 1024

export interface SearchedPage {
  pageId: string
  path: string
  title: string | null
  blob: string
}

export function storePageText(
  sql: Sql,
  { pageId, path, title, blob }: SearchedPage,
  { text, headings }: PageText,
): void {
  const lines = text.replaceAll(/[^\S\n]+/gu, ' ')
  const [row] = sql.all<{ row_id: number }>(
    `INSERT INTO pages (page_id, path, title, blob, text) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (page_id) DO UPDATE SET path = excluded.path, title = excluded.title, blob = excluded.blob,
       text = excluded.text RETURNING row_id`,
    [pageId, path, title, blob, deflateRawSync(lines, { level: 1 })],
  )
  sql.run('INSERT OR REPLACE INTO page_words (rowid, title, headings, body) VALUES (?, ?, ?, ?)', [
    row?.row_id ?? null,
    wordsOf(title ?? ''),
    wordsOf(headings),
    wordsOf(lines),
  ])
}

export function removePageText(sql: Sql, pageId: string): void {
  const [row] = sql.all<{ row_id: number }>('DELETE FROM pages WHERE page_id = ? RETURNING row_id', [pageId])
  if (row !== undefined) sql.run('DELETE FROM page_words WHERE rowid = ?', [row.row_id])
}

export interface RecordKey {
  collectionId: string
  recordId: string
}

export function storeRecordText(sql: Sql, { collectionId, recordId }: RecordKey, data: Record<string, unknown>): void {
  const [row] = sql.all<{ row_id: number }>(
    `INSERT INTO records (collection_id, record_id) VALUES (?, ?)
     ON CONFLICT (collection_id, record_id) DO UPDATE SET record_id = excluded.record_id RETURNING row_id`,
    [collectionId, recordId],
  )
  sql.run('INSERT OR REPLACE INTO record_words (rowid, collection, body) VALUES (?, ?, ?)', [
    row?.row_id ?? null,
    wordOfCollection(collectionId),
    wordsOf(textOf(data).slice(0, MAX_RECORD_CHARACTERS)),
  ])
}

export function removeRecordText(sql: Sql, { collectionId, recordId }: RecordKey): void {
  const [row] = sql.all<{ row_id: number }>(
    'DELETE FROM records WHERE collection_id = ? AND record_id = ? RETURNING row_id',
    [collectionId, recordId],
  )
  if (row !== undefined) sql.run('DELETE FROM record_words WHERE rowid = ?', [row.row_id])
}

/** One word that stands for a collection, so that a search never walks the words of another. */
export function wordOfCollection(collectionId: string): string {
  return collectionId.replaceAll('-', '')
}

/** Every text and number in the data, a line each. */
function textOf(data: Record<string, unknown>): string {
  const lines: string[] = []
  collectTexts(data, lines)
  return lines.join('\n')
}

function collectTexts(value: unknown, lines: string[]): void {
  if (typeof value === 'string') lines.push(value)
  else if (typeof value === 'number') lines.push(String(value))
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectTexts(inner, lines)
  }
}
