// An index over temporary folders, and a look into its tables that goes round it.

import { join } from 'node:path'
import { openIndex, type SiteIndex } from '../../../src/catalog/index/site-index.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { ObjectMissing } from '../../../src/git/objects/errors.js'
import { TextWalk } from '../../../src/indexing/text/text-walk.js'
import { useTemporaryFolders } from '../temporary-folder.js'
import { SITE, type SiteHistory } from './site-history.js'

export interface TestIndex {
  index: SiteIndex
  folder: string
  /** Takes what the history has beyond the index. */
  catchUp: (history: SiteHistory) => void
}

/** Call it in a `describe`; the function it returns opens an empty index, closed when the tests are over. */
export function useIndex(): () => TestIndex {
  const makeFolder = useTemporaryFolders()
  const opened: SiteIndex[] = []
  after(() => {
    for (const index of opened) index.close()
  })
  return () => {
    const folder = makeFolder()
    const index = openIndex(folder)
    opened.push(index)
    return { index, folder, catchUp: (history) => catchUp(index, history) }
  }
}

export function catchUp(index: SiteIndex, history: SiteHistory): void {
  const indexed = index.indexedCommit(SITE)
  const done = history.facts.findIndex(({ oid }) => oid === indexed) + 1
  index.apply(SITE, history.facts.slice(done), history.read)
}

/** Forgets all of a site. */
export function forget(index: SiteIndex, siteId: string): void {
  const steps = index.forget(siteId)
  while (steps.next().done !== true);
}

/** Brings the text of the test's site to the commit that its index describes, and answers its position. Its documents have no bytes here. */
export function followText({ index, folder }: Pick<TestIndex, 'index' | 'folder'>): number {
  const missing = (oid: string) => {
    throw new ObjectMissing(oid)
  }
  const repository = { objects: { readHeader: missing, readBlob: missing } }
  const walk = new TextWalk({ dataDir: folder, siteId: SITE, maxCharacters: 1024 * 1024, index, repository })
  while (!walk.advance());
  walk.close()
  return walk.answer
}

const TABLES = {
  sites: 'site_id',
  page_files: 'site_id, tree_path',
  sidecars: 'site_id, page_id',
  pages: 'site_id, page_id',
  versions: 'site_id, page_id, number',
  collections: 'site_id, collection_id',
  idempotency_keys: 'site_id, key_hash',
  commits: 'site_id, oid',
  touched_paths: 'site_id, tree_path',
  touched_pages: 'site_id, page_id',
}

/** Every row of every table, in an order of their keys. */
export function dumpIndex(folder: string): Record<string, unknown[]> {
  const sqlite = openSqlite(join(folder, 'index.db'), { synchronous: 'NORMAL' })
  try {
    const dump: Record<string, unknown[]> = {}
    for (const [table, key] of Object.entries(TABLES)) {
      dump[table] = sqlite.prepare(`SELECT * FROM ${table} ORDER BY ${key}`).all([])
    }
    dump['records'] = sqlite
      .prepare(
        `SELECT site_id, collection_id, record_id, data, json(fields) AS fields, etag, position, created_at, updated_at, changed
         FROM records ORDER BY site_id, collection_id, record_id`,
      )
      .all([])
    return dump
  } finally {
    sqlite.close()
  }
}
