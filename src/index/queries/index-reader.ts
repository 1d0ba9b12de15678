// Reads the index and the text of a site in a task process, through connections of its own that write nothing. The process may be
// killed in the middle of a read.

import { type SiteIndex, SiteIndexes } from '../site-index.js'
import { IndexLost, IndexMoved } from '../tables/index-position.js'
import type { Sql } from '../tables/sql.js'
import { sqliteCode } from '../../catalog/sqlite/sqlite-errors.js'
import { TextFiles } from '../text/text-file.js'
import { readProgress } from '../text/text-progress.js'

/** The input of every read of one site's index. */
export interface IndexQuery {
  dataDir: string
  siteId: string
  /** The position of a commit in the index: the text must describe this commit or a later one. */
  asOf: number
}

/** `behind`: the index is missing, or the text does not describe the commit that was asked for. Follow it and ask again. */
export type IndexAnswer<T> = { answer: T } | { behind: true }

interface Opened {
  dataDir: string
  indexes: SiteIndexes
  texts: TextFiles
}

/** The folder that this process read last. */
let opened: Opened | undefined

/** Runs `ask` at one moment. `ask` may throw ServiceErrors. */
export function readIndex<T>(
  { dataDir, siteId }: IndexQuery,
  ask: (index: SiteIndex) => IndexAnswer<T>,
): IndexAnswer<T> {
  const index = openIn(dataDir).indexes.of(siteId)
  try {
    return index.atOneMoment(() => (index.position === undefined ? { behind: true } : ask(index)))
  } catch (error) {
    if (error instanceof IndexLost || error instanceof IndexMoved || sqliteCode(error) !== undefined) {
      return { behind: true }
    }
    throw error
  }
}

/** Asks the site's text at one moment. */
export function askText<T>(query: IndexQuery, ask: (text: Sql) => T): IndexAnswer<T> {
  return readIndex(query, (index) => {
    const answer = readText(query, index, ask)
    return answer === undefined ? { behind: true } : { answer }
  })
}

/**
 * Asks the site's text if it is as new as `asOf`; undefined if it is older, damaged or missing. It need not be as new as the index, which
 * may have moved on since the question.
 */
export function readText<T>(query: IndexQuery, index: SiteIndex, ask: (text: Sql) => T): T | undefined {
  try {
    const sql = openIn(query.dataDir).texts.find(query.siteId)
    return sql?.atOneMoment(() => (isNewEnough(query, index, sql) ? ask(sql) : undefined))
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error
    return undefined
  }
}

/** Whether the text describes the commit at `asOf` or a later one. It may be ahead of the index as read here, but not of another history. */
function isNewEnough({ asOf }: IndexQuery, index: SiteIndex, text: Sql): boolean {
  const { commit_oid, position } = readProgress(text)
  if (commit_oid === null || position < asOf) return false
  return position > (index.position?.ordinal ?? 0) || index.commits.positionOf(commit_oid) === position
}

function openIn(dataDir: string): Opened {
  if (opened?.dataDir === dataDir) return opened
  opened?.indexes.close()
  opened?.texts.close()
  opened = { dataDir, indexes: new SiteIndexes(dataDir), texts: new TextFiles(dataDir, true) }
  return opened
}
