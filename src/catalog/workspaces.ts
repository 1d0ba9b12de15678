// Workspaces (accounts): the owners of sites, keys and collections.

import type { Selectable } from 'kysely'
import { ServiceError } from '../model/errors.js'
import type { OpenDatabase } from './database.js'
import type { SqliteStatement } from './sqlite/sqlite.js'
import type { CatalogTables } from './tables.js'

export interface Workspace {
  id: string
  name: string
  /** Null only between the workspace's first row and its first site. */
  defaultSiteId: string | null
  createdAt: string
}

type Row = Selectable<CatalogTables['workspaces']>

export class Workspaces {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #byId: SqliteStatement<Row>

  constructor({ db, sqlite }: OpenDatabase<CatalogTables>) {
    this.#db = db
    this.#byId = sqlite.prepare('SELECT * FROM workspaces WHERE id = ?')
  }

  async create(workspace: Pick<Workspace, 'id' | 'name' | 'createdAt'>): Promise<Workspace> {
    const { id, name, createdAt } = workspace
    await this.#db.insertInto('workspaces').values({ id, name, default_site_id: null, created_at: createdAt }).execute()
    return { id, name, defaultSiteId: null, createdAt }
  }

  /** Removes a workspace that never had a site. */
  async dropEmpty(id: string): Promise<void> {
    await this.#db
      .deleteFrom('workspaces')
      .where('id', '=', id)
      .where((where) =>
        where.not(where.exists(where.selectFrom('sites').select('sites.id').where('sites.workspace_id', '=', id))),
      )
      .execute()
  }

  /** The workspaces with the given ids that exist, or all of them; the oldest first. */
  async list(ids?: readonly string[]): Promise<Workspace[]> {
    if (ids?.length === 0) return []
    let query = this.#db.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('id')
    if (ids !== undefined) query = query.where('id', 'in', ids)
    return (await query.execute()).map(readRow)
  }

  /** Synchronous: every request asks it. */
  find(id: string): Workspace | undefined {
    const row = this.#byId.first([id])
    return row && readRow(row)
  }

  /** Throws `site_not_found` unless the site is one of the workspace's and not deleted. */
  async setDefaultSite(workspaceId: string, siteId: string): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('workspaces')
      .set({ default_site_id: siteId })
      .where('id', '=', workspaceId)
      .where((where) =>
        where.exists(
          where
            .selectFrom('sites')
            .select('sites.id')
            .where('sites.id', '=', siteId)
            .where('sites.workspace_id', '=', workspaceId)
            .where('sites.state', '!=', 'deleted'),
        ),
      )
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) {
      throw new ServiceError('site_not_found', `The workspace has no site ${siteId}: choose one of its own sites.`)
    }
  }
}

function readRow(row: Row): Workspace {
  return { id: row.id, name: row.name, defaultSiteId: row.default_site_id, createdAt: row.created_at }
}
