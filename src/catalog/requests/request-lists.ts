// Lists of change requests over all sites of a workspace. Nothing is cached.

import { type Expression, sql, type SqlBool } from 'kysely'
import type { CatalogDatabase } from '../database/catalog-database.js'
import type { ChangeRequest, RequestAuthor, RequestState } from './change-requests.js'

export interface WorkspacePage {
  states?: readonly RequestState[] | undefined
  author?: RequestAuthor | undefined
  /** Only those under review, and the drafts of this author. */
  waiting?: RequestAuthor | undefined
  /** The `ageOf` of a row: only older ones. Empty for the newest. */
  before: string
  limit: number
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
}

function isBy(author: RequestAuthor): Expression<SqlBool> {
  return 'userId' in author ? sql<SqlBool>`user_id = ${author.userId}` : sql<SqlBool>`made_by = ${author.madeBy}`
}

function isBefore(age: string): Expression<SqlBool> {
  const [createdAt = ''] = age.split(' ')
  return sql<SqlBool>`(created_at <= ${createdAt} and created_at || ' ' || id < ${age})`
}
