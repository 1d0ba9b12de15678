// The principals that wrote to a change request. They decide who may approve it.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

/** `madeBy` is `user <id>`, or kind and id of the principal; `userId` is the person behind it. */
export type RequestMaker = Pick<Row<'changeRequestMakers'>, 'madeBy' | 'userId' | 'label'>

export class Makers {
  readonly #database: CatalogDatabase
  readonly #one: SqliteStatement<{ madeBy: string }>
  readonly #all: SqliteStatement<RequestMaker>

  constructor(database: CatalogDatabase) {
    this.#database = database
    const of = 'FROM change_request_makers WHERE request_id = ?'
    this.#one = database.prepare(`SELECT made_by ${of} AND made_by = ?`)
    this.#all = database.prepare(`SELECT made_by, user_id, label ${of} ORDER BY made_by`)
  }

  /** Notes who writes; call it before the write. Nothing is written for a maker that is known. */
  async note(requestId: string, { madeBy, userId, label }: RequestMaker): Promise<void> {
    if (this.#one.first([requestId, madeBy]) !== undefined) return
    await this.#database.write((db) => [
      db
        .insertInto('changeRequestMakers')
        .values({ requestId, madeBy, userId, label })
        .onConflict((conflict) => conflict.doNothing()),
    ])
  }

  /** Lists all makers. Synchronous. */
  list(requestId: string): RequestMaker[] {
    return this.#all.all([requestId])
  }
}
