// Pushes over HTTP: which key moved main from where to where. This proves the maker; a pushed commit's own message does not.

import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { OpenDatabase, Write } from '../database/database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import type { CatalogTables } from '../database/tables.js'

export interface NewPush {
  siteId: string
  /** The push brought the commits of main after `before`, up to and including `after`. */
  before: string
  after: string
  /** Kind and id of the principal, as `makerNameOf` writes them. */
  maker: string
  /** Label of the key. */
  author: string
  /** The pusher's message (`git push -o message=…`). */
  message: string | null
}

export interface RecordedPush extends NewPush {
  /** RFC 3339. */
  pushedAt: string
}

/** Older pushes are no longer told apart in lists. */
const MAX_LISTED = 200
const COLUMNS =
  'site_id AS siteId, before_oid AS before, after_oid AS after, maker, author, message, pushed_at AS pushedAt'

export class Pushes {
  readonly #clock: Clock
  readonly #write: Write<CatalogTables>
  readonly #list: SqliteStatement<RecordedPush>
  readonly #listOfMaker: SqliteStatement<RecordedPush>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#clock = clock
    this.#write = write
    const list = (where: string): SqliteStatement<RecordedPush> =>
      sqlite.prepare(`SELECT ${COLUMNS} FROM pushes WHERE ${where} ORDER BY rowid DESC LIMIT ?`)
    this.#list = list('site_id = ?')
    this.#listOfMaker = list('site_id = ? AND maker = ?')
  }

  /**
   * Records a push before main moves, so that no crash leaves one out; `remove` takes back a push that failed. A record
   * whose commits main does not have is ignored. Durable when it returns.
   */
  async add(push: NewPush): Promise<RecordedPush> {
    const { siteId, before, after, maker, author, message } = push
    const pushedAt = toTimestamp(toSeconds(this.#clock()))
    const row = { site_id: siteId, before_oid: before, after_oid: after, maker, author, message, pushed_at: pushedAt }
    await this.#write((db) => [db.insertInto('pushes').values(row).compile()])
    return { ...push, pushedAt }
  }

  async remove({ siteId, before, after, maker, pushedAt }: RecordedPush): Promise<void> {
    await this.#write((db) => [
      db
        .deleteFrom('pushes')
        .where('site_id', '=', siteId)
        .where('before_oid', '=', before)
        .where('after_oid', '=', after)
        .where('maker', '=', maker)
        .where('pushed_at', '=', pushedAt)
        .compile(),
    ])
  }

  /** Lists the pushes of a site, newest first; of one principal if `maker` is given. Synchronous. */
  list(siteId: string, maker?: string): RecordedPush[] {
    return maker === undefined
      ? this.#list.all([siteId, MAX_LISTED])
      : this.#listOfMaker.all([siteId, maker, MAX_LISTED])
  }
}
