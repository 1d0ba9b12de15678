// Workspaces (accounts): the owners of sites, keys and collections.

import type { Selectable } from 'kysely'
import { ServiceError } from '../model/errors.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/sqlite.js'
import type { CatalogTables } from './database/tables.js'

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
  readonly #write: Write<CatalogTables>
  readonly #byId: SqliteStatement<Row>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>) {
    this.#db = db
    this.#write = write
    this.#byId = sqlite.prepare('SELECT * FROM workspaces WHERE id = ?')
  }

  async create(workspace: Pick<Workspace, 'id' | 'name' | 'createdAt'>): Promise<Workspace> {
    const { id, name, createdAt } = workspace
    const row = { id, name, default_site_id: null, created_at: createdAt }
    await this.#write((db) => [db.insertInto('workspaces').values(row).compile()])
    return { id, name, defaultSiteId: null, createdAt }
  }

  /** Removes a workspace that never had a site. */
  async dropEmpty(id: string): Promise<void> {
    await this.#write((db) => [
      db
        .deleteFrom('workspaces')
        .where('id', '=', id)
        .where((where) =>
          where.not(where.exists(where.selectFrom('sites').select('sites.id').where('sites.workspace_id', '=', id))),
        )
        .compile(),
    ])
  }

  /** Lists the existing workspaces with the given ids, or all workspaces; oldest first. */
  async list(ids?: readonly string[]): Promise<Workspace[]> {
    if (ids?.length === 0) return []
    let query = this.#db.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('id')
    if (ids !== undefined) query = query.where('id', 'in', ids)
    return (await query.execute()).map(readRow)
  }

  /** Finds a workspace. Synchronous, as every request asks it. */
  find(id: string): Workspace | undefined {
    const row = this.#byId.first([id])
    return row && readRow(row)
  }

  /** Sets the default site. Throws `site_not_found` unless the site belongs to the workspace and is not deleted. */
  async setDefaultSite(workspaceId: string, siteId: string): Promise<void> {
    const [changed] = await this.#write((db) => [
      db
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
        .compile(),
    ])
    if (changed?.count !== 1) {
      throw new ServiceError('site_not_found', `The workspace has no site ${siteId}: choose one of its own sites.`)
    }
  }
}

function readRow(row: Row): Workspace {
  return { id: row.id, name: row.name, defaultSiteId: row.default_site_id, createdAt: row.created_at }
}
