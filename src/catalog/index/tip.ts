// The pages of a site as of its newest commit, while the walk along its history is still far behind: a copy of its rows,
// under a key of their own, brought there in one leap. It answers what there is; what its versions are, only the walk knows.

import type { PageLeap } from '../../model/facts.js'
import { forgetInPortions } from './forget-site.js'
import type { BlobReader } from './pages/page-title.js'
import { takeInPortions } from './portions.js'
import type { Sql, Transact } from './tables/sql.js'
import { IndexMoved, readStanding, storeStanding } from './tables/standing.js'
import { tipKeyOf } from './tables/tip-key.js'

/** What is copied, each with its key within a site. */
const COPIED = { page_files: 'tree_path', sidecars: 'page_id', pages: 'page_id' } as const
/** Rows in one transaction. */
const MOST_COPIED = 1_000

/**
 * Brings the copy to the commit of `leaps`, which are portions of one leap; it begins where the copy is, else where the
 * site's rows are. Throws `IndexMoved` when neither is so.
 */
export function* leapInPortions(
  transact: Transact,
  siteId: string,
  leaps: Iterable<PageLeap>,
  read: BlobReader,
  isWanted: () => boolean,
): Generator<undefined, void> {
  const key = tipKeyOf(siteId)
  const tip = transact((sql) => readStanding(sql, key))
  // One that never arrived is of no commit, and is of no use.
  if (tip === undefined || tip.next !== undefined) {
    yield* forgetInPortions(transact, key)
    yield* copyInPortions(transact, siteId)
  }
  yield* takeInPortions(transact, key, leaps, read, isWanted)
}

/** The copy has no standing until it is whole. */
function* copyInPortions(transact: Transact, siteId: string): Generator<undefined, void> {
  const standing = transact((sql) => readStanding(sql, siteId))
  if (standing === undefined) return
  for (const [table, key] of Object.entries(COPIED)) {
    let copied: string | undefined = ''
    while (copied !== undefined) {
      const after: string = copied
      copied = transact((sql) => {
        const now = readStanding(sql, siteId)
        if (now?.commit !== standing.commit || now.next !== undefined) throw new IndexMoved('The pages moved on.')
        return copySome(sql, siteId, table, key, after)
      })
      yield
    }
  }
  transact((sql) => storeStanding(sql, tipKeyOf(siteId), standing))
}

/** Copies the rows whose keys come after one; answers the last of them, undefined when none was left. */
function copySome(sql: Sql, siteId: string, table: string, key: string, after: string): string | undefined {
  const last = sql.first<{ last: string | null }>(
    `SELECT max(k) AS last FROM (SELECT ${key} AS k FROM ${table} WHERE site_id = ? AND ${key} > ? ORDER BY ${key} LIMIT ?)`,
    [siteId, after, MOST_COPIED],
  )?.last
  if (last === undefined || last === null) return undefined
  const columns = sql
    .all<{ name: string }>('SELECT name FROM pragma_table_info(?)', [table])
    .map(({ name }) => name)
    .filter((name) => name !== 'site_id')
    .join(', ')
  sql.run(
    `INSERT INTO ${table} (site_id, ${columns})
     SELECT ?, ${columns} FROM ${table} WHERE site_id = ? AND ${key} > ? AND ${key} <= ?`,
    [tipKeyOf(siteId), siteId, after, last],
  )
  return last
}
