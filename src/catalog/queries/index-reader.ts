// The index and the text of a site as a task process reads them: through connections of its own, which write nothing. The process may be
// killed in the middle of a read, however long that takes.

import { join } from 'node:path'
import { readSchemaState } from '../index/tables/schema.js'
import { readPosition } from '../index/tables/index-position.js'
import { prepareOn, type Sql } from '../index/tables/sql.js'
import { identityOf } from '../sqlite/file-identity.js'
import { openSqlite, sqliteCode, type SqliteHandle } from '../sqlite/sqlite.js'
import { openTextToRead } from '../text/text-file.js'
import { readProgress } from '../text/text-progress.js'

/** What a read of one site's index needs. */
export interface IndexQuery {
  dataDir: string
  siteId: string
}

/**
 * `behind`: the index, or the text, does not describe the site's newest commit known to it, or is not there: follow it and ask
 * again. `damaged`: SQLite's code for what is wrong with the file of the index.
 */
export type IndexAnswer<T> = { answer: T } | { behind: true } | { damaged: string }

interface Opened {
  path: string
  /** Of the file that was at the path before it was opened. */
  identity: string
  handle: SqliteHandle
  sql: Sql
}

const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_READ|IOERR_SHORT_READ)/

/** The index that this process read last. */
let opened: Opened | undefined

/** Asks at one moment. `ask` may throw ServiceErrors. */
export function readIndex<T>({ dataDir, siteId }: IndexQuery, ask: (sql: Sql) => IndexAnswer<T>): IndexAnswer<T> {
  try {
    const index = openIndexAt(join(dataDir, 'index.db'))
    if (index === undefined) return { behind: true }
    return index.atOneMoment(() => {
      const position = readPosition(index, siteId)
      return position === undefined || position.next !== undefined ? { behind: true } : ask(index)
    })
  } catch (error) {
    const code = sqliteCode(error)
    if (code === undefined) throw error
    opened?.handle.close()
    opened = undefined
    return DAMAGED.test(code) ? { damaged: code } : { behind: true }
  }
}

/** Asks the site's text at one moment. */
export function askText<T>(query: IndexQuery, ask: (text: Sql) => T): IndexAnswer<T> {
  return readIndex(query, (index) => {
    const answer = readText(query, index, ask)
    return answer === undefined ? { behind: true } : { answer }
  })
}

/** Asks the site's text, which describes the same commit as the index or a later one; undefined where it is behind, damaged or not there. */
export function readText<T>({ dataDir, siteId }: IndexQuery, index: Sql, ask: (text: Sql) => T): T | undefined {
  let handle: SqliteHandle | undefined
  try {
    handle = openTextToRead(dataDir, siteId)
    if (handle === undefined) return undefined
    const sql = prepareOn(handle)
    return sql.atOneMoment(() => (isCurrent(siteId, index, sql) ? ask(sql) : undefined))
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error
    return undefined
  } finally {
    handle?.close()
  }
}

/** The text may be ahead of the moment at which the index is read, but not of another history. */
function isCurrent(siteId: string, index: Sql, text: Sql): boolean {
  const { commit_oid, position } = readProgress(text)
  const indexed = readPosition(index, siteId)
  if (indexed === undefined || commit_oid === null || position < indexed.ordinal) return false
  return position > indexed.ordinal || commit_oid === indexed.commit
}

function openIndexAt(path: string): Sql | undefined {
  const identity = identityOf(path)
  if (identity === undefined) return undefined
  if (opened?.path === path && opened.identity === identity) return opened.sql
  opened?.handle.close()
  opened = undefined
  const handle = openSqlite(path, { synchronous: 'NORMAL', mustExist: true })
  if (readSchemaState(handle) !== 'current') {
    handle.close()
    return undefined
  }
  handle.exec('PRAGMA query_only = ON')
  opened = { path, identity, handle, sql: prepareOn(handle) }
  return opened.sql
}
