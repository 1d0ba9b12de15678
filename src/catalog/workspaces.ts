// Workspaces (accounts): the owners of sites, keys and collections.

import type { OwnQuotas } from '../admission/quotas.js'
import { ServiceError } from '../model/errors.js'
import type { CatalogDatabase, Row } from './database/catalog-database.js'
import type { SqliteStatement } from './sqlite/statement.js'

type WorkspaceRow = Row<'workspaces'>

export interface Workspace extends Omit<WorkspaceRow, 'maxBytes' | 'maxPages' | 'maxSites'> {
  /** Its own quotas. */
  quotas: OwnQuotas
}

/** Stands for `none` in a column. */
const NO_LIMIT = -1
const NO_OWN_QUOTAS: OwnQuotas = { bytes: null, pages: null, sites: null }

export class Workspaces {
  readonly #database: CatalogDatabase
  readonly #byId: SqliteStatement<WorkspaceRow>
  readonly #sitesOf: SqliteStatement<{ count: number }>

  constructor(database: CatalogDatabase) {
    const { prepare } = (this.#database = database)
    this.#byId = prepare('SELECT * FROM workspaces WHERE id = ?')
    this.#sitesOf = prepare("SELECT count(*) AS count FROM sites WHERE workspace_id = ? AND state <> 'deleted'")
  }

  async create({ id, name, createdAt }: Pick<Workspace, 'id' | 'name' | 'createdAt'>): Promise<Workspace> {
    const row = { id, name, defaultSiteId: null, createdAt }
    await this.#database.write((db) => [db.insertInto('workspaces').values(row)])
    return { ...row, quotas: NO_OWN_QUOTAS }
  }

  /** Removes a workspace that never had a site. */
  async dropEmpty(id: string): Promise<void> {
    await this.#database.write((db) => [
      db
        .deleteFrom('workspaces')
        .where('id', '=', id)
        .where((where) =>
          where.not(where.exists(where.selectFrom('sites').select('sites.id').where('sites.workspaceId', '=', id))),
        ),
    ])
  }

  /** Lists the existing workspaces with the given ids, or all workspaces; oldest first. */
  async list(ids?: readonly string[]): Promise<Workspace[]> {
    if (ids?.length === 0) return []
    let query = this.#database.db.selectFrom('workspaces').selectAll().orderBy('createdAt').orderBy('id')
    if (ids !== undefined) query = query.where('id', 'in', ids)
    return (await query.execute()).map(readWorkspace)
  }

  /** Finds a workspace. Synchronous, as every request asks it. */
  find(id: string): Workspace | undefined {
    const row = this.#byId.first([id])
    return row && readWorkspace(row)
  }

  /** Counts the sites, with those that are being made. Synchronous, so that no other site comes in before the caller's own. */
  countSites(id: string): number {
    return this.#sitesOf.first([id])?.count ?? 0
  }

  /** Changes at least one of a workspace's own quotas; the others stay as they are. */
  async setQuotas(id: string, { bytes, pages, sites }: Partial<OwnQuotas>): Promise<void> {
    const changed = { maxBytes: columnOf(bytes), maxPages: columnOf(pages), maxSites: columnOf(sites) }
    await this.#database.write((db) => [db.updateTable('workspaces').set(changed).where('id', '=', id)])
  }

  /** Sets the default site. Throws `site_not_found` unless the site belongs to the workspace and is not deleted. */
  async setDefaultSite(workspaceId: string, siteId: string): Promise<void> {
    const [changed] = await this.#database.write((db) => [
      db
        .updateTable('workspaces')
        .set({ defaultSiteId: siteId })
        .where('id', '=', workspaceId)
        .where((where) =>
          where.exists(
            where
              .selectFrom('sites')
              .select('sites.id')
              .where('sites.id', '=', siteId)
              .where('sites.workspaceId', '=', workspaceId)
              .where('sites.state', '!=', 'deleted'),
          ),
        ),
    ])
    if (changed?.count !== 1) {
      throw new ServiceError('site_not_found', `The workspace has no site ${siteId}: choose one of its own sites.`)
    }
  }
}

function readWorkspace(row: WorkspaceRow): Workspace {
  const { id, name, defaultSiteId, createdAt } = row
  const quotas = { bytes: readQuota(row.maxBytes), pages: readQuota(row.maxPages), sites: readQuota(row.maxSites) }
  return { id, name, defaultSiteId, createdAt, quotas }
}

/** Returns the column's value. An undefined one is not written. */
function columnOf(quota: number | 'none' | null | undefined): number | null | undefined {
  return quota === 'none' ? NO_LIMIT : quota
}

function readQuota(column: number | null): number | 'none' | null {
  return column === NO_LIMIT ? 'none' : column
}
