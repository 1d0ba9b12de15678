// Imports of sites from remotes: their state, their result, and the site that came out. No credentials are stored here.
// Every change is durable when it returns.

import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import type { CatalogTables } from '../database/tables.js'

export interface SiteImport {
  /** First id of the site; the id in its repository may replace it. */
  id: string
  workspaceId: string
  slug: string
  url: string
  state: 'importing' | 'done' | 'failed'
  /** Null until the site is live. */
  siteId: string | null
  /** Reason of the failure; null if it did not fail. */
  error: string | null
  /** Imported content that cannot be served as it is. */
  warnings: readonly string[]
  createdAt: string
}

type Row = Omit<SiteImport, 'warnings'> & { warnings: string }

/** Time for which a finished import is remembered. */
const KEPT_SECONDS = 7 * 24 * 3600
const COLUMNS =
  'id, workspace_id AS workspaceId, slug, url, state, site_id AS siteId, error, warnings, created_at AS createdAt'

export class SiteImports {
  readonly #clock: Clock
  readonly #write: Write<CatalogTables>
  readonly #find: SqliteStatement<Row>
  readonly #ofWorkspace: SqliteStatement<Row>
  readonly #countUnderWay: SqliteStatement<{ count: number }>
  readonly #underWay: SqliteStatement<Row>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#clock = clock
    this.#write = write
    this.#find = sqlite.prepare(`SELECT ${COLUMNS} FROM imports WHERE workspace_id = ?1 AND (id = ?2 OR site_id = ?2)`)
    this.#ofWorkspace = sqlite.prepare(
      `SELECT ${COLUMNS} FROM imports WHERE workspace_id = ?1 AND state != 'done'
       AND created_at >= ?2 AND created_at || ' ' || id > ?3 ORDER BY created_at, id LIMIT ?4`,
    )
    this.#countUnderWay = sqlite.prepare(
      "SELECT count(*) AS count FROM imports WHERE workspace_id = ? AND state = 'importing'",
    )
    this.#underWay = sqlite.prepare(`SELECT ${COLUMNS} FROM imports WHERE state = 'importing'`)
  }

  /** Adds an import, and forgets imports that ended long ago. */
  async add({ id, workspaceId, slug, url, createdAt }: SiteImport): Promise<void> {
    const oldest = toTimestamp(toSeconds(this.#clock()) - KEPT_SECONDS)
    const row = { id, workspace_id: workspaceId, slug, url, state: 'importing', created_at: createdAt } as const
    await this.#write((db) => [
      db.deleteFrom('imports').where('created_at', '<', oldest).where('state', '!=', 'importing').compile(),
      db.insertInto('imports').values(row).compile(),
    ])
  }

  async finish(id: string, siteId: string, warnings: readonly string[]): Promise<void> {
    const done = { state: 'done', site_id: siteId, warnings: warnings.join('\n') } as const
    await this.#write((db) => [db.updateTable('imports').set(done).where('id', '=', id).compile()])
  }

  async fail(id: string, error: string): Promise<void> {
    await this.#write((db) => [
      db.updateTable('imports').set({ state: 'failed', error }).where('id', '=', id).compile(),
    ])
  }

  async remove(id: string): Promise<void> {
    await this.#write((db) => [db.deleteFrom('imports').where('id', '=', id).compile()])
  }

  /** Finds the import that began with this id, or that made the site with this id. */
  find(workspaceId: string, id: string): SiteImport | undefined {
    return this.#find.all([workspaceId, id]).map(readRow)[0]
  }

  /** Lists a workspace's imports that are under way or failed, oldest first, at most `count` after one of them (`ageOf`). */
  listUnfinished(workspaceId: string, after: string, count: number): SiteImport[] {
    const [createdAt = ''] = after.split(' ')
    return this.#ofWorkspace.all([workspaceId, createdAt, after, count]).map(readRow)
  }

  countUnderWay(workspaceId: string): number {
    return this.#countUnderWay.first([workspaceId])?.count ?? 0
  }

  /** Lists the imports under way in all workspaces, such as those that an ended process left. */
  listUnderWay(): SiteImport[] {
    return this.#underWay.all([]).map(readRow)
  }
}

function readRow(row: Row): SiteImport {
  return { ...row, warnings: row.warnings === '' ? [] : row.warnings.split('\n') }
}
