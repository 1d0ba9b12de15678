// An index over temporary folders, and a look into its tables that goes round it.

import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { type SiteIndex, SiteIndexes } from '../../src/index/site-index.js'
import { siteFileOf } from '../../src/index/tables/site-file.js'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'
import { TextFiles } from '../../src/index/text/text-file.js'
import { ObjectMissing } from '../../src/git/objects/errors.js'
import { TextWalk } from '../../src/indexing/text/text-walk.js'
import { useTemporaryFolders } from '../catalog/temporary-folder.js'
import { SITE, type SiteHistory } from './site-history.js'

/** Bytes of a page of the database. */
export const PAGE_BYTES = 2048

export interface TestIndex {
  index: SiteIndex
  folder: string
  /** Takes what the history has beyond the index. */
  catchUp: (history: SiteHistory) => void
}

/** Call it in a `describe`; the function it returns opens an empty index, closed when the tests are over. */
export function useIndex(): () => TestIndex {
  const makeFolder = useTemporaryFolders()
  const opened: SiteIndexes[] = []
  after(() => {
    for (const indexes of opened) indexes.close()
  })
  return () => {
    const folder = makeFolder()
    const indexes = openIndexes(folder)
    opened.push(indexes)
    const index = indexes.of(SITE)
    return { index, folder, catchUp: (history) => catchUp(index, history) }
  }
}

/** Opens the indexes like the thread that makes their files. */
export function openIndexes(dataDir: string): SiteIndexes {
  return new SiteIndexes(dataDir, { access: 'makes', busyTimeout: 100 })
}

export function catchUp(index: SiteIndex, history: SiteHistory): void {
  const { indexedCommit } = index
  const done = history.facts.findIndex(({ oid }) => oid === indexedCommit) + 1
  index.apply(history.facts.slice(done), history.read)
}

export function rowsFileOf(dataDir: string, siteId = SITE): string {
  return siteFileOf(dataDir, siteId, 'rows').path
}

/** Overwrites where a table and its indexes begin, as a bad disk would. */
export function spoilTable(file: string, table: string): void {
  const sqlite = openSqlite(file, { synchronous: 'NORMAL' })
  // SQLite's log counts before the file.
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const roots = sqlite
    .prepare<{ rootpage: number }>('SELECT rootpage FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0')
    .all([table])
  sqlite.close()
  assert.ok(roots.length > 0)
  const spoiled = Buffer.alloc(PAGE_BYTES, 0xa5)
  const descriptor = openSync(file, 'r+')
  for (const { rootpage } of roots) writeSync(descriptor, spoiled, 0, PAGE_BYTES, (rootpage - 1) * PAGE_BYTES)
  closeSync(descriptor)
}

/** Brings the text of the test's site to the commit that its index describes, and answers its position. Its documents have no bytes here. */
export function followText({ index, folder }: Pick<TestIndex, 'index' | 'folder'>): number {
  const missing = (oid: string) => {
    throw new ObjectMissing(oid)
  }
  const repository = { objects: { readHeader: missing, readBlob: missing } }
  const texts = new TextFiles(folder)
  const walk = new TextWalk({ maxCharacters: 1024 * 1024, index, texts, repository })
  while (!walk.advance());
  texts.close()
  return walk.answer
}

const TABLES = {
  indexed: 'row',
  page_files: 'tree_path',
  sidecars: 'page_id',
  pages: 'page_id',
  versions: 'page_id, number',
  collections: 'collection_id',
  idempotency_keys: 'key_hash',
  commits: 'oid',
}

/** Every row of every table, in an order of their keys. */
export function dumpIndex(folder: string, siteId = SITE): Record<string, unknown[]> {
  const sqlite = openSqlite(rowsFileOf(folder, siteId), { synchronous: 'NORMAL' })
  try {
    const dump: Record<string, unknown[]> = {}
    for (const [table, key] of Object.entries(TABLES)) {
      dump[table] = sqlite.prepare(`SELECT * FROM ${table} ORDER BY ${key}`).all([])
    }
    dump['records'] = sqlite
      .prepare(
        `SELECT collection_id, record_id, data, json(fields) AS fields, json(instants) AS instants,
           json(sort_keys) AS sort_keys, etag, position, created_at, updated_at, changed
         FROM records ORDER BY collection_id, record_id`,
      )
      .all([])
    return dump
  } finally {
    sqlite.close()
  }
}
