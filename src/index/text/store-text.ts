// Puts pages and records into a site's text file, and removes them.

import { deflateRawSync } from 'node:zlib'
import type { PageText } from '../../texts/page-text.js'
import type { Sql, SqlValue } from '../tables/sql.js'
import { wordsOf } from './words.js'

/** The rest of a longer record is not searched. */
const MAX_RECORD_CHARACTERS = 1024 * 1024

export interface SearchedPage {
  pageId: string
  path: string
  title: string | null
  blob: string
}

interface StoredLink {
  /** Path of the URL as it is written, percent-encoded. */
  target: string
  /** The common part of all URLs of the same page or file; null for a URL that can lead to neither. */
  place: string | null
  /** Line of the first such link in the document, from 1. */
  line: number
}

/** Reason why a part of a page is neither searched nor checked for links; the checks name such pages. */
export type LeftOut = 'too_large' | 'no_room' | 'links'

/** The text and links read from a page's document. */
export interface ReadPage extends PageText {
  links: readonly StoredLink[]
  leftOut: LeftOut | null
}

/** Stores a page's text. If it needs more than `room` characters, only the title is searched. Returns how many characters were added. */
export function storePageText(sql: Sql, page: SearchedPage, read: ReadPage, room: number): number {
  const { pageId, path, title, blob } = page
  const before = sql.first<Stored>('SELECT row_id, characters FROM pages WHERE page_id = ?', [pageId])?.characters ?? 0
  const whole = read.text.replaceAll(/[^\S\n]+/gu, ' ')
  const fits = whole.length - before <= room
  const [lines, headings, leftOut] = fits ? [whole, read.headings, read.leftOut] : ['', '', 'no_room']
  const rowId = sql.first<Stored>(
    `INSERT INTO pages (page_id, path, title, blob, text, characters, left_out) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (page_id) DO UPDATE SET path = excluded.path, title = excluded.title, blob = excluded.blob,
       text = excluded.text, characters = excluded.characters, left_out = excluded.left_out RETURNING row_id`,
    [pageId, path, title, blob, deflateRawSync(lines, { level: 1 }), lines.length, leftOut],
  )?.row_id
  if (rowId === undefined) throw new Error('SQLite answered no row for a page that was stored.')
  sql.run('INSERT OR REPLACE INTO page_words (rowid, title, headings, body) VALUES (?, ?, ?, ?)', [
    rowId,
    wordsOf(title ?? ''),
    wordsOf(headings),
    wordsOf(lines),
  ])
  storeLinks(sql, rowId, read.links)
  return lines.length - before
}

/** Removes a page's text. Returns how many characters were added to the file: none or a negative number. */
export function removePageText(sql: Sql, pageId: string): number {
  const row = sql.first<Stored>('DELETE FROM pages WHERE page_id = ? RETURNING row_id, characters', [pageId])
  if (row === undefined) return 0
  sql.run('DELETE FROM page_words WHERE rowid = ?', [row.row_id])
  storeLinks(sql, row.row_id, [])
  return -row.characters
}

interface Stored {
  row_id: number
  characters: number
}

export interface RecordKey {
  collectionId: string
  recordId: string
}

/** Stores a record's text. A record without room for its words is not found. Returns how many characters were added to the file. */
export function storeRecordText(
  sql: Sql,
  { collectionId, recordId }: RecordKey,
  data: Record<string, unknown>,
  room: number,
): number {
  const known = 'SELECT row_id, characters FROM records WHERE collection_id = ? AND record_id = ?'
  const before = sql.first<Stored>(known, [collectionId, recordId])?.characters ?? 0
  const whole = textOf(data).slice(0, MAX_RECORD_CHARACTERS)
  const text = whole.length - before <= room ? whole : ''
  const row = sql.first<Stored>(
    `INSERT INTO records (collection_id, record_id, characters) VALUES (?, ?, ?)
     ON CONFLICT (collection_id, record_id) DO UPDATE SET characters = excluded.characters RETURNING row_id`,
    [collectionId, recordId, text.length],
  )
  sql.run('INSERT OR REPLACE INTO record_words (rowid, collection, body) VALUES (?, ?, ?)', [
    row?.row_id ?? null,
    wordOfCollection(collectionId),
    wordsOf(text),
  ])
  return text.length - before
}

/** Removes a record's text. Returns how many characters were added to the file: none or a negative number. */
export function removeRecordText(sql: Sql, { collectionId, recordId }: RecordKey): number {
  const row = sql.first<Stored>(
    'DELETE FROM records WHERE collection_id = ? AND record_id = ? RETURNING row_id, characters',
    [collectionId, recordId],
  )
  if (row === undefined) return 0
  sql.run('DELETE FROM record_words WHERE rowid = ?', [row.row_id])
  return -row.characters
}

/** Returns one word that stands for a collection, so that a search never walks the words of another. */
export function wordOfCollection(collectionId: string): string {
  return collectionId.replaceAll('-', '')
}

/** Returns every text and number in the data, one per line. */
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

/** Replaces the links of a page. Their targets must differ: a target is stored once, even if many pages link to it. */
function storeLinks(sql: Sql, rowId: number, links: readonly StoredLink[]): void {
  const before = sql.all<{ target_id: number }>('SELECT target_id FROM links WHERE row_id = ?', [rowId])
  sql.run('DELETE FROM links WHERE row_id = ?', [rowId])
  for (const { target, place, line } of links) {
    const targetId = idOf(sql, 'SELECT target_id FROM targets WHERE target = ?', [target])
    const known =
      targetId ?? idOf(sql, 'INSERT INTO targets (target, place) VALUES (?, ?) RETURNING target_id', [target, place])
    sql.run('INSERT INTO links (target_id, row_id, line) VALUES (?, ?, ?)', [known ?? null, rowId, line])
  }
  for (const { target_id } of before) {
    const unused =
      'DELETE FROM targets WHERE target_id = ? AND NOT EXISTS (SELECT 1 FROM links WHERE links.target_id = targets.target_id)'
    sql.run(unused, [target_id])
  }
}

function idOf(sql: Sql, query: string, values: readonly SqlValue[]): number | undefined {
  return sql.first<{ target_id: number }>(query, values)?.target_id
}
