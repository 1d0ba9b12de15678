// Imports of sites from remotes: their state, their result, and the site that came out. No credentials are stored here.
// Every change is durable when it returns.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

type ImportRow = Row<'imports'>

/** Its `warnings` name imported content that cannot be served as it is. */
export type SiteImport = Omit<ImportRow, 'warnings'> & { warnings: readonly string[] }

/** Time for which a finished import is remembered. */
const KEPT_SECONDS = 7 * 24 * 3600

export class SiteImports {
  readonly #database: CatalogDatabase
  readonly #find: SqliteStatement<ImportRow>
  readonly #ofWorkspace: SqliteStatement<ImportRow>
  readonly #countUnderWay: SqliteStatement<{ count: number }>
  readonly #underWay: SqliteStatement<ImportRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#find = database.prepare('SELECT * FROM imports WHERE workspace_id = ?1 AND (id = ?2 OR site_id = ?2)')
    this.#ofWorkspace = database.prepare(
      `SELECT * FROM imports WHERE workspace_id = ?1 AND state != 'done'
       AND created_at >= ?2 AND created_at || ' ' || id > ?3 ORDER BY created_at, id LIMIT ?4`,
    )
    this.#countUnderWay = database.prepare(
      "SELECT count(*) AS count FROM imports WHERE workspace_id = ? AND state = 'importing'",
    )
    this.#underWay = database.prepare("SELECT * FROM imports WHERE state = 'importing'")
  }

  /** Adds an import, and forgets imports that ended long ago. */
  async add({ id, workspaceId, slug, url, createdAt }: SiteImport): Promise<void> {
    const oldest = this.#database.now(KEPT_SECONDS)
    const row = { id, workspaceId, slug, url, state: 'importing', createdAt } as const
    await this.#database.write((db) => [
      db.deleteFrom('imports').where('createdAt', '<', oldest).where('state', '!=', 'importing'),
      db.insertInto('imports').values(row),
    ])
  }

  async finish(id: string, siteId: string, warnings: readonly string[]): Promise<void> {
    const done = { state: 'done', siteId, warnings: warnings.join('\n') } as const
    await this.#database.write((db) => [db.updateTable('imports').set(done).where('id', '=', id)])
  }

  async fail(id: string, error: string): Promise<void> {
    await this.#database.write((db) => [db.updateTable('imports').set({ state: 'failed', error }).where('id', '=', id)])
  }

  async remove(id: string): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('imports').where('id', '=', id)])
  }

  /** Finds the import that began with this id, or that made the site with this id. */
  find(workspaceId: string, id: string): SiteImport | undefined {
    return this.#find.all([workspaceId, id]).map(readImport)[0]
  }

  /** Lists a workspace's imports that are under way or failed, oldest first, at most `count` after one of them (`ageOf`). */
  listUnfinished(workspaceId: string, after: string, count: number): SiteImport[] {
    const [createdAt = ''] = after.split(' ')
    return this.#ofWorkspace.all([workspaceId, createdAt, after, count]).map(readImport)
  }

  countUnderWay(workspaceId: string): number {
    return this.#countUnderWay.first([workspaceId])?.count ?? 0
  }

  /** Lists the imports under way in all workspaces, such as those that an ended process left. */
  listUnderWay(): SiteImport[] {
    return this.#underWay.all([]).map(readImport)
  }
}

function readImport(row: ImportRow): SiteImport {
  return { ...row, warnings: row.warnings === '' ? [] : row.warnings.split('\n') }
}
