// The times at which change requests are published. They are columns of the request, so that it and its time change together.

import { sql } from 'kysely'
import type { CatalogDatabase } from '../database/catalog-database.js'
import { joinWords } from '../database/word-list.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { type ChangeRequest, OPEN_STATES, type RequestAuthor, requestsOf, UNSCHEDULED } from './change-requests.js'

/** A request with a time. */
export type ScheduledRequest = ChangeRequest & {
  publishAt: string
  scheduledBy: string
  scheduledLabel: string
  scheduledIn: string
  scheduledHead: string
}

/** A time, the commit that it is for, and the principal that set it. */
export interface NewSchedule {
  publishAt: string
  head: string
  /** `user <id>`, or kind and id of the principal. */
  setBy: string
  label: string
  workspaceId: string
  lentBy?: readonly string[] | undefined
}

/** The refusal that ended a try. */
export interface Hold {
  code: string
  reason: string
}

/** The place of a request in the order of times, after which a list goes on. */
export type ScheduledPlace = Pick<ScheduledRequest, 'publishAt' | 'siteId' | 'number'>

export class Schedules {
  readonly #database: CatalogDatabase
  readonly #due: SqliteStatement<ScheduledRequest>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#due = database.prepare(`
      SELECT * FROM change_requests
      WHERE publish_at IS NOT NULL AND held_at IS NULL AND state != 'closed'
      AND publish_at <= ?1 AND (publish_at, site_id, number) > (?2, ?3, ?4)
      ORDER BY publish_at, site_id, number LIMIT ?5`)
  }

  /** Sets the time, in place of one before. False, and nothing changes, if the request is closed. */
  async set(id: string, { publishAt, head, setBy, label, workspaceId, lentBy }: NewSchedule): Promise<boolean> {
    const schedule = {
      ...UNSCHEDULED,
      publishAt,
      scheduledBy: setBy,
      scheduledLabel: label,
      scheduledIn: workspaceId,
      scheduledLentBy: lentBy === undefined ? null : joinWords([...lentBy]),
      scheduledHead: head,
    }
    const updatedAt = this.#database.now()
    const [set] = await this.#database.write((db) => [
      db
        .updateTable('changeRequests')
        .set({ ...schedule, updatedAt })
        .where('id', '=', id)
        .where('state', 'in', OPEN_STATES),
    ])
    return set?.count === 1
  }

  /** Takes the time back. False if the request has none. */
  async cancel(id: string): Promise<boolean> {
    const [set] = await this.#database.write((db) => [
      db.updateTable('changeRequests').set(UNSCHEDULED).where('id', '=', id).where('publishAt', 'is not', null),
    ])
    return set?.count === 1
  }

  /** Holds a request, so that it is tried no more. False, and nothing changes, if its time was set or taken back since. */
  async hold({ id, publishAt, scheduledHead }: ScheduledRequest, { code, reason }: Hold): Promise<boolean> {
    const heldAt = this.#database.now()
    const [set] = await this.#database.write((db) => [
      db
        .updateTable('changeRequests')
        .set({ heldAt, heldCode: code, heldReason: reason, updatedAt: heldAt })
        .where('id', '=', id)
        .where('state', 'in', OPEN_STATES)
        .where('publishAt', '=', publishAt)
        .where('scheduledHead', '=', scheduledHead)
        .where('heldAt', 'is', null),
    ])
    return set?.count === 1
  }

  /** Holds all requests that wait for their time. Returns their number. */
  async holdAll({ code, reason }: Hold): Promise<number> {
    const heldAt = this.#database.now()
    const [set] = await this.#database.write((db) => [
      db
        .updateTable('changeRequests')
        .set({ heldAt, heldCode: code, heldReason: reason })
        .where('publishAt', 'is not', null)
        .where('heldAt', 'is', null),
    ])
    return set?.count ?? 0
  }

  /** Lists requests of all sites whose time has come, in the order of times. Synchronous, as it is asked twice a second. */
  listDue(limit: number, after: ScheduledPlace = { publishAt: '', siteId: '', number: 0 }): ScheduledRequest[] {
    return this.#due.all([this.#database.now(), after.publishAt, after.siteId, after.number, limit])
  }

  /** Lists the requests of a site that have a time, also those that are held, in the order of times. */
  async list(
    siteId: string,
    { author, after, limit }: { author?: RequestAuthor; after?: Omit<ScheduledPlace, 'siteId'>; limit: number },
  ): Promise<ChangeRequest[]> {
    let query = requestsOf(this.#database, siteId, author).selectAll().where('publishAt', 'is not', null)
    if (after !== undefined)
      query = query.where(sql<boolean>`(publish_at, number) > (${after.publishAt}, ${after.number})`)
    return await query.orderBy('publishAt').orderBy('number').limit(limit).execute()
  }
}
