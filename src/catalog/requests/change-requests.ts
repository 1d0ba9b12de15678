// Change requests: whose they are, and their state. Their content is a branch. Nothing is cached, so a change by any process counts at once.

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { OPEN_REQUESTS } from '../../admission/quotas.js'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { subjectOf } from './comments.js'

export type ChangeRequest = Row<'changeRequests'>
export type RequestState = ChangeRequest['state']

export type NewChangeRequest = Pick<ChangeRequest, 'id' | 'siteId' | 'title' | 'author' | 'madeBy' | 'userId'> & {
  state: Exclude<RequestState, 'closed'>
  /** The time of the last change; by default now. */
  updatedAt?: string
  /** The page that it is the draft of. */
  pageId?: string | undefined
}

/** The author of requests: one principal, or a person with all keys and agents that act for the person. */
export type RequestAuthor = Pick<ChangeRequest, 'madeBy'> | { userId: string }

export interface RequestsPage {
  states?: readonly RequestState[]
  author?: RequestAuthor
  /** Only drafts of this page. */
  pageId?: string
  /** Only those with a lower number. */
  before?: number | undefined
  limit: number
}

/** The states of requests that can be written to. */
export const OPEN_STATES = ['draft', 'review'] as const satisfies readonly RequestState[]

/** The columns of a request without a time (schedules.ts). */
export const UNSCHEDULED = {
  publishAt: null,
  scheduledBy: null,
  scheduledLabel: null,
  scheduledIn: null,
  scheduledLentBy: null,
  scheduledHead: null,
  heldAt: null,
  heldCode: null,
  heldReason: null,
} as const

/** How often a write to a request stores its time. */
const TOUCH_MS = 60 * 60_000

export class ChangeRequests {
  readonly #database: CatalogDatabase
  readonly #byId: SqliteStatement<ChangeRequest>
  readonly #byNumber: SqliteStatement<ChangeRequest>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byId = database.prepare('SELECT * FROM change_requests WHERE id = ?')
    this.#byNumber = database.prepare('SELECT * FROM change_requests WHERE site_id = ? AND number = ?')
  }

  /** Stores a request with the next number of its site, however many are open. */
  async create(request: NewChangeRequest): Promise<ChangeRequest> {
    const made = await this.#insert(request, sql`true`)
    if (made === undefined) throw new Error('the change request was not stored')
    return made
  }

  /** Does the same. Undefined, and nothing is stored, if as many are open as may be, or if the author has a draft of the page. */
  async createWithinLimits(request: NewChangeRequest): Promise<ChangeRequest | undefined> {
    return await this.#insert(request, sql`${mayOpen(request)} AND ${hasNoDraft(request)}`)
  }

  async #insert(request: NewChangeRequest, condition: RawBuilder<unknown>): Promise<ChangeRequest | undefined> {
    const { id, siteId, title, state, author, madeBy, userId } = request
    const now = this.#database.now()
    const { updatedAt = now, pageId = null } = request
    const [, made] = await this.#database.write<ChangeRequest>(() => [
      lock(siteId),
      sql<ChangeRequest>`
      INSERT INTO change_requests
        (id, site_id, number, title, state, author, made_by, user_id, created_at, updated_at, closed_at, page_id)
      SELECT ${id}, ${siteId}, coalesce(max(number), 0) + 1, ${title}, ${state}, ${author}, ${madeBy}, ${userId}, ${now}, ${updatedAt}, NULL, ${pageId}
      FROM change_requests WHERE site_id = ${siteId} HAVING ${condition} RETURNING *`,
    ])
    return made?.rows[0]
  }

  /** Finds a request of any site, in any state. Synchronous, as every request that names one asks it. */
  find(id: string): ChangeRequest | undefined {
    return this.#byId.first([id])
  }

  findByNumber(siteId: string, number: number): ChangeRequest | undefined {
    return this.#byNumber.first([siteId, number])
  }

  /** Finds the newest open draft of a page by one author. */
  async findDraft(siteId: string, author: RequestAuthor, pageId: string): Promise<ChangeRequest | undefined> {
    const [draft] = await this.list(siteId, { states: OPEN_STATES, author, pageId, limit: 1 })
    return draft
  }

  /** Makes the request the draft of a page that was made in it, and names it after the page. */
  async setPage(id: string, { pageId, title }: { pageId: string; title: string }): Promise<void> {
    await this.#database.write((db) => [db.updateTable('changeRequests').set({ pageId, title }).where('id', '=', id)])
  }

  /** Lists requests of a site, the newest first. */
  async list(siteId: string, { states, author, pageId, before, limit }: RequestsPage): Promise<ChangeRequest[]> {
    let query = requestsOf(this.#database, siteId, author).selectAll().orderBy('number', 'desc').limit(limit)
    if (states !== undefined) query = query.where('state', 'in', states)
    if (pageId !== undefined) query = query.where('pageId', '=', pageId)
    if (before !== undefined) query = query.where('number', '<', before)
    return await query.execute()
  }

  /** Lists the ids of all requests of a site, in any state. */
  async listIds(siteId: string): Promise<string[]> {
    const rows = await requestsOf(this.#database, siteId).select('id').orderBy('number').execute()
    return rows.map(({ id }) => id)
  }

  /** Counts the open requests of a site, or of one author there. */
  async countOpen(siteId: string, author?: RequestAuthor): Promise<number> {
    const { count } = await requestsOf(this.#database, siteId, author)
      .where('state', 'in', OPEN_STATES)
      .select((rows) => rows.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }

  /** Changes the state; a closed one has no time. False, and nothing changes, if it is in none of the states `before`. */
  async setState(id: string, before: readonly RequestState[], state: RequestState): Promise<boolean> {
    const now = this.#database.now()
    const [set] = await this.#database.write((db) => [
      db
        .updateTable('changeRequests')
        .set({
          state,
          updatedAt: now,
          closedAt: state === 'closed' ? now : null,
          ...(state === 'closed' && UNSCHEDULED),
        })
        .where('id', '=', id)
        .where('state', 'in', before),
    ])
    return set?.count === 1
  }

  /** Opens a closed request. False, and nothing changes, if it is closed no more, or if as many are open as may be. */
  async reopen(request: ChangeRequest, state: NewChangeRequest['state']): Promise<boolean> {
    const { id, siteId } = request
    const now = this.#database.now()
    const [, set] = await this.#database.write(() => [
      lock(siteId),
      sql`
      UPDATE change_requests SET state = ${state}, updated_at = ${now}, closed_at = NULL
      WHERE id = ${id} AND state = 'closed'
        AND (SELECT ${mayOpen(request)} FROM change_requests WHERE site_id = ${siteId})`,
    ])
    return set?.count === 1
  }

  async rename(id: string, title: string): Promise<void> {
    const updatedAt = this.#database.now()
    await this.#database.write((db) => [
      db.updateTable('changeRequests').set({ title, updatedAt }).where('id', '=', id),
    ])
  }

  /** Stores the time of a write to it, unless the stored time is younger than an hour. */
  async touch({ id, updatedAt }: Pick<ChangeRequest, 'id' | 'updatedAt'>): Promise<void> {
    const now = this.#database.now()
    if (Date.parse(now) - Date.parse(updatedAt) < TOUCH_MS) return
    await this.#database.write((db) => [db.updateTable('changeRequests').set({ updatedAt: now }).where('id', '=', id)])
  }

  /** Removes a request with all that is stored about it. */
  async remove(id: string): Promise<void> {
    await this.#database.write((db) => [
      db.deleteFrom('links').where('requestId', '=', id),
      db.deleteFrom('comments').where('subject', '=', subjectOf({ request: id })),
      db.deleteFrom('changeRequestApprovals').where('requestId', '=', id),
      db.deleteFrom('changeRequestMakers').where('requestId', '=', id),
      db.deleteFrom('changeRequests').where('id', '=', id),
    ])
  }
}

/** Begins a query of the requests of a site, or of one author there. */
export function requestsOf({ db }: Pick<CatalogDatabase, 'db'>, siteId: string, author?: RequestAuthor) {
  const query = db.selectFrom('changeRequests').where('siteId', '=', siteId)
  return author === undefined ? query : query.where(isBy(author))
}

/** Whether a row is of the author. */
export function isBy(author: RequestAuthor): RawBuilder<SqlBool> {
  return 'userId' in author ? sql`user_id = ${author.userId}` : sql`made_by = ${author.madeBy}`
}

/** Puts what opens requests of a site in order: no two get one number, and each counts the others. */
function lock(siteId: string): RawBuilder<ChangeRequest> {
  return sql`UPDATE sites SET slug = slug WHERE id = ${siteId}`
}

/** Whether one more may be open, of all rows of the site. */
function mayOpen(request: Pick<ChangeRequest, 'madeBy' | 'userId'>): RawBuilder<unknown> {
  return sql`(${countOf(isOpen())} < ${OPEN_REQUESTS.site.quota} AND ${countOf(isOpenOf(request))} < ${OPEN_REQUESTS.author.quota})`
}

/** Whether its author has no open draft of its page, of all rows of the site. */
function hasNoDraft(request: NewChangeRequest): RawBuilder<unknown> {
  const { pageId } = request
  return pageId === undefined ? sql`true` : sql`${countOf(sql`${isOpenOf(request)} AND page_id = ${pageId}`)} = 0`
}

function countOf(isCounted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`count(CASE WHEN ${isCounted} THEN 1 END)`
}

function isOpen(): RawBuilder<unknown> {
  return sql`state IN (${sql.join(OPEN_STATES)})`
}

function isOpenOf(request: Pick<ChangeRequest, 'madeBy' | 'userId'>): RawBuilder<unknown> {
  return sql`${isOpen()} AND ${isBy(authorOf(request))}`
}

/** A person and the agents and keys that act for the person are one author. */
export function authorOf({ madeBy, userId }: Pick<ChangeRequest, 'madeBy' | 'userId'>): RequestAuthor {
  return userId === null ? { madeBy } : { userId }
}
