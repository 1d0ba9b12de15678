// Pushes over HTTP: which key moved main from where to where. This proves the maker; a pushed commit's own message does not.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

type PushRow = Row<'pushes'>

/** The push brought the commits of main after `before`, up to and including `after`. */
export type RecordedPush = Omit<PushRow, 'beforeOid' | 'afterOid'> & { before: string; after: string }
export type NewPush = Omit<RecordedPush, 'pushedAt'>

/** Older pushes are no longer told apart in lists. */
const MAX_LISTED = 200

export class Pushes {
  readonly #database: CatalogDatabase
  readonly #list: SqliteStatement<PushRow>
  readonly #listOfMaker: SqliteStatement<PushRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    const list = (where: string): SqliteStatement<PushRow> =>
      database.prepare(`SELECT * FROM pushes WHERE ${where} ORDER BY rowid DESC LIMIT ?`)
    this.#list = list('site_id = ?')
    this.#listOfMaker = list('site_id = ? AND maker = ?')
  }

  /**
   * Records a push before main moves, so that no crash leaves one out; `remove` takes back a push that failed. A record
   * whose commits main does not have is ignored. Durable when it returns.
   */
  async add(push: NewPush): Promise<RecordedPush> {
    const { siteId, before, after, maker, author, message } = push
    const pushedAt = this.#database.now()
    const row = { siteId, beforeOid: before, afterOid: after, maker, author, message, pushedAt }
    await this.#database.write((db) => [db.insertInto('pushes').values(row)])
    return { ...push, pushedAt }
  }

  async remove({ siteId, before, after, maker, pushedAt }: RecordedPush): Promise<void> {
    await this.#database.write((db) => [
      db
        .deleteFrom('pushes')
        .where('siteId', '=', siteId)
        .where('beforeOid', '=', before)
        .where('afterOid', '=', after)
        .where('maker', '=', maker)
        .where('pushedAt', '=', pushedAt),
    ])
  }

  /** Lists the pushes of a site, newest first; of one principal if `maker` is given. Synchronous. */
  list(siteId: string, maker?: string): RecordedPush[] {
    const rows =
      maker === undefined ? this.#list.all([siteId, MAX_LISTED]) : this.#listOfMaker.all([siteId, maker, MAX_LISTED])
    return rows.map(({ beforeOid: before, afterOid: after, ...push }) => ({ ...push, before, after }))
  }
}
