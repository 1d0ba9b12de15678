// Searches the text of one site's pages. The best hits come first, each with the lines that match.

import { inflateRawSync } from 'node:zlib'
import type { Sql } from '../tables/sql.js'
import { findLines, type FoundLine } from '../text/find-lines.js'
import { parseSearch, type Search, toMatch } from '../text/words.js'
import { askText, type IndexAnswer, type IndexQuery } from './index-reader.js'

export interface PagesSearch extends IndexQuery {
  q: string
  /** Only pages whose path begins with it. */
  prefix?: string | undefined
  /** Number of best hits to skip. */
  from: number
  /** Maximum number of hits. */
  limit: number
}

export interface PageHits {
  hits: PageHit[]
  /** Whether there are more hits. */
  isMore: boolean
}

export interface PageHit {
  pageId: string
  path: string
  title: string | null
  blob: string
  lines: FoundLine[]
}

/** Number of pages that are ranked. Beyond it, a page counts only if its title or headings contain the search. */
const MAX_RANKED = 2_000
/** Weights of a word in the title, the headings and the rest. */
const WEIGHTS = '10, 4, 1'

interface Ranked {
  row_id: number
  score: number
}

interface StoredText {
  page_id: string
  path: string
  title: string | null
  blob: string
  text: Uint8Array
}

export function searchPages(input: PagesSearch): IndexAnswer<PageHits> {
  return askText(input, (text) => search(text, input))
}

function search(text: Sql, { q, prefix, from, limit }: PagesSearch): PageHits {
  const wanted = parseSearch(q)
  if (wanted === undefined) return { hits: [], isMore: false }
  const match = toMatch(wanted)
  const everywhere = rank(text, match, prefix)
  const prominent = everywhere.length === MAX_RANKED ? rank(text, `{title headings} : (${match})`, prefix) : []
  const scores = new Map<number, number>()
  for (const { row_id, score } of [...everywhere, ...prominent]) {
    scores.set(row_id, Math.min(score, scores.get(row_id) ?? 0))
  }
  const best = [...scores].toSorted(([a, scoreA], [b, scoreB]) => scoreA - scoreB || a - b)
  const hits = best.slice(from, from + limit).flatMap(([rowId]) => readHit(text, rowId, wanted))
  return { hits, isMore: best.length > from + limit }
}

/** Ranks the matches. The better a page, the lower its score (sqlite.org/fts5.html §5.1.1). */
function rank(text: Sql, match: string, prefix: string | undefined): Ranked[] {
  const score = `bm25(page_words, ${WEIGHTS}) AS score`
  if (prefix === undefined) {
    const query = `SELECT rowid AS row_id, ${score} FROM page_words WHERE page_words MATCH ? LIMIT ?`
    return text.all<Ranked>(query, [match, MAX_RANKED])
  }
  // No text has a byte above the last one (0xFF).
  return text.all<Ranked>(
    `SELECT page_words.rowid AS row_id, ${score} FROM page_words CROSS JOIN pages ON pages.row_id = page_words.rowid
     WHERE page_words MATCH ? AND path >= ? AND path < ? || CAST(x'FF' AS TEXT) LIMIT ?`,
    [match, prefix, prefix, MAX_RANKED],
  )
}

function readHit(text: Sql, rowId: number, wanted: Search): PageHit[] {
  const page = text.first<StoredText>('SELECT page_id, path, title, blob, text FROM pages WHERE row_id = ?', [rowId])
  if (page === undefined) return []
  const { page_id: pageId, path, title, blob } = page
  return [{ pageId, path, title, blob, lines: findLines(inflateRawSync(page.text).toString(), wanted) }]
}
