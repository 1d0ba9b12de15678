// The steps that bring the catalog to the tables of this version, in order. The list of tables says what each number adds; here is what a
// step changes besides. A released step is never edited: add a new one.

import { type Dialect, makeTables, SQLITE } from './ddl.js'
import { bindOldWays, nameOldMakers } from './old-ways.js'

export interface CatalogStep {
  /** Begins with its number. The steps in PostgreSQL have the same names from `0018` on. */
  name: string
  /** Returns the statements that follow those for the tables. */
  besides?: (dialect: Dialect) => string[]
}

export const STEPS: readonly CatalogStep[] = [
  { name: '0001-workspaces-sites-keys' },
  { name: '0002-public-history-and-links' },
  { name: '0003-sessions' },
  { name: '0004-minters' },
  // Until this step the secret that signed links lay there.
  { name: '0005-stored-links', besides: () => ['drop table if exists "secrets"'] },
  { name: '0006-withdrawals' },
  { name: '0007-key-paths' },
  { name: '0008-markdown-of-sites' },
  { name: '0009-search-of-sites' },
  { name: '0010-public-repositories' },
  { name: '0011-pushes' },
  { name: '0012-key-origins-and-toolset' },
  { name: '0013-imports' },
  { name: '0014-mirrors' },
  { name: '0015-tags-of-mirrors' },
  { name: '0016-quotas' },
  { name: '0017-people-agents-audit' },
  { name: '0018-borrowed-ways-in', besides: (dialect) => [...bindOldWays(dialect), ...nameOldMakers(dialect)] },
  { name: '0019-hand-overs' },
  // Questions to passkeys lie in oauth_items from now on. Those that were open are asked again.
  { name: '0020-visitors-rows', besides: (dialect) => (dialect === SQLITE ? ['drop table "passkey_challenges"'] : []) },
  { name: '0021-change-requests' },
  { name: '0022-names-of-sites' },
  { name: '0023-schedules' },
  { name: '0024-comments' },
  { name: '0025-pages-of-drafts' },
]

/** The SQL of each step for catalog.db, by its name. */
export const catalogMigrations: Readonly<Record<string, string>> = Object.fromEntries(
  STEPS.map(({ name, besides }, at) => [
    name,
    [...makeTables(SQLITE, at + 1), ...(besides?.(SQLITE) ?? [])].join(';\n'),
  ]),
)
