// Lists of change requests over several sites: those of a workspace, and those that are retired. Nothing is cached.

import { type Expression, sql, type SqlBool } from 'kysely'
import type { CatalogDatabase } from '../database/catalog-database.js'
import { type ChangeRequest, isBy, OPEN_STATES, type RequestAuthor, type RequestState } from './change-requests.js'

export interface WorkspacePage {
  states?: readonly RequestState[] | undefined
  author?: RequestAuthor | undefined
  /** Only those under review, and the drafts of this author. */
  waiting?: RequestAuthor | undefined
  /** The `ageOf` of a row: only older ones. Empty for the newest. */
  before: string
  limit: number
}

/** A closed request, after which a list goes on. */
export interface RequestsEnd {
  closedAt: string
  id: string
}

export class RequestLists {
  readonly #database: CatalogDatabase

  constructor(database: CatalogDatabase) {
    this.#database = database
  }

  /** Lists the requests of the live sites of a workspace, the newest first. */
  async list(workspaceId: string, page: WorkspacePage): Promise<ChangeRequest[]> {
    const { states, author, waiting, before, limit } = page
    const { db } = this.#database
    const sites = db.selectFrom('sites').select('id').where('workspaceId', '=', workspaceId).where('state', '=', 'live')
    let query = db.selectFrom('changeRequests').selectAll().where('siteId', 'in', sites)
    if (states !== undefined) query = query.where('state', 'in', states)
    if (author !== undefined) query = query.where(isBy(author))
    if (waiting !== undefined)
      query = query.where((is) =>
        is.or([is('state', '=', 'review'), is.and([is('state', '=', 'draft'), isBy(waiting)])]),
      )
    if (before !== '') query = query.where(isBefore(before))
    return await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
  }

  /** Lists open requests of all sites that nobody has changed since a time, those left longest first. One that waits for its time is none. */
  async listUntouched(since: string, limit: number): Promise<ChangeRequest[]> {
    return await this.#database.db
      .selectFrom('changeRequests')
      .selectAll()
      .where('state', 'in', OPEN_STATES)
      .where('updatedAt', '<', since)
      .where((row) => row.or([row('publishAt', 'is', null), row('heldAt', 'is not', null)]))
      .orderBy('updatedAt')
      .limit(limit)
      .execute()
  }

  /** Lists requests of all sites that were closed before a time, in the order of their ends, after one of them. */
  async listClosed(
    since: string,
    limit: number,
    after: RequestsEnd = { closedAt: '', id: '' },
  ): Promise<ChangeRequest[]> {
    return await this.#database.db
      .selectFrom('changeRequests')
      .selectAll()
      .where('closedAt', '<', since)
      .where('closedAt', '>=', after.closedAt)
      .where((row) => row.or([row('closedAt', '>', after.closedAt), row('id', '>', after.id)]))
      .orderBy('closedAt')
      .orderBy('id')
      .limit(limit)
      .execute()
  }
}

function isBefore(age: string): Expression<SqlBool> {
  const [createdAt = ''] = age.split(' ')
  return sql<SqlBool>`(created_at <= ${createdAt} and created_at || ' ' || id < ${age})`
}
