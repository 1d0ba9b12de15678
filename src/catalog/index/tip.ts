// The pages of a site as of its newest commit, while the walk along its history is still far behind: a copy of its rows,
// under a key of their own, brought there in one leap. It answers what there is; what its versions are, only the walk knows.

import type { CommitFacts, PageLeap } from '../../model/facts.js'
import { forgetSite } from './forget-site.js'
import type { Sql } from './sql.js'

/** The number of a version that a leap passed over: how many there were is not known yet. */
export const UNCOUNTED = 0

const COPIED = ['page_files', 'sidecars', 'pages'] as const
const SEPARATOR = '/'

export function tipKeyOf(siteId: string): string {
  return `${siteId}${SEPARATOR}tip`
}

/** The id of the site whose rows have this key. */
export function siteIdOf(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key
}

export function isLeap(facts: CommitFacts): facts is PageLeap {
  return 'isLeap' in facts
}

/** Copies what the site's rows hold now. Must run in a transaction. */
export function copyToTip(sql: Sql, siteId: string): void {
  const key = tipKeyOf(siteId)
  forgetSite(sql, key)
  for (const table of ['sites', ...COPIED]) {
    const columns = sql
      .all<{ name: string }>('SELECT name FROM pragma_table_info(?)', [table])
      .map(({ name }) => name)
      .filter((name) => name !== 'site_id')
      .join(', ')
    sql.run(`INSERT INTO ${table} (site_id, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE site_id = ?`, [
      key,
      siteId,
    ])
  }
}
