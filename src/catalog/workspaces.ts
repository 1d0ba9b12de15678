// Workspaces (accounts): the owners of sites, keys and collections.

import type { Selectable } from 'kysely'
import type { OwnQuotas } from '../admission/quotas.js'
import { ServiceError } from '../model/errors.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import type { CatalogTables } from './database/tables.js'

export interface Workspace {
  id: string
  name: string
  /** Null only between the workspace's first row and its first site. */
  defaultSiteId: string | null
  createdAt: string
  /** Its own quotas. */
  quotas: OwnQuotas
}

/** Stands for `none` in a column. */
const NO_LIMIT = -1
const NO_OWN_QUOTAS: OwnQuotas = { bytes: null, pages: null, sites: null }

type Row = Selectable<CatalogTables['workspaces']>

export class Workspaces {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #byId: SqliteStatement<Row>
  readonly #sitesOf: SqliteStatement<{ count: number }>

  constructor({ db, sqlite, write }: OpenDatabase<CatalogTables>) {
    this.#db = db
    this.#write = write
    this.#byId = sqlite.prepare('SELECT * FROM workspaces WHERE id = ?')
    this.#sitesOf = sqlite.prepare("SELECT count(*) AS count FROM sites WHERE workspace_id = ? AND state <> 'deleted'")
  }

  async create(workspace: Pick<Workspace, 'id' | 'name' | 'createdAt'>): Promise<Workspace> {
    const { id, name, createdAt } = workspace
    const row = { id, name, default_site_id: null, created_at: createdAt }
    await this.#write((db) => [db.insertInto('workspaces').values(row).compile()])
    return { id, name, defaultSiteId: null, createdAt, quotas: NO_OWN_QUOTAS }
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

  /** Counts the sites, with those that are being made. Synchronous, so that no other site comes in before the caller's own. */
  countSites(id: string): number {
    return this.#sitesOf.first([id])?.count ?? 0
  }

  /** Changes at least one of a workspace's own quotas; the others stay as they are. */
  async setQuotas(id: string, quotas: Partial<OwnQuotas>): Promise<void> {
    const { bytes, pages, sites } = quotas
    const changed = {
      ...(bytes !== undefined && { max_bytes: columnOf(bytes) }),
      ...(pages !== undefined && { max_pages: columnOf(pages) }),
      ...(sites !== undefined && { max_sites: columnOf(sites) }),
    }
    await this.#write((db) => [db.updateTable('workspaces').set(changed).where('id', '=', id).compile()])
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
  const { id, name, default_site_id: defaultSiteId, created_at: createdAt } = row
  const quotas = { bytes: readQuota(row.max_bytes), pages: readQuota(row.max_pages), sites: readQuota(row.max_sites) }
  return { id, name, defaultSiteId, createdAt, quotas }
}

function columnOf(quota: number | 'none' | null): number | null {
  return quota === 'none' ? NO_LIMIT : quota
}

function readQuota(column: number | null): number | 'none' | null {
  return column === NO_LIMIT ? 'none' : column
}
