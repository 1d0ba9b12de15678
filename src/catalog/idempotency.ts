// Answers to POSTs that make no commit (such as a new site), kept for a day so that a retry gets the same answer.
// A POST that makes a commit needs no row here: its idempotency key is a trailer of the commit.

import type { CatalogDatabase, Row } from './database/catalog-database.js'

export type IdempotencyRecord = Row<'idempotencyRecords'>

/** One day, as design §5 says. */
const KEPT_SECONDS = 24 * 60 * 60

export class IdempotencyRecords {
  readonly #database: CatalogDatabase

  constructor(database: CatalogDatabase) {
    this.#database = database
  }

  /** Finds a record; undefined if there is none or it is older than a day. */
  async find(keyHash: string): Promise<IdempotencyRecord | undefined> {
    return await this.#database.db
      .selectFrom('idempotencyRecords')
      .selectAll()
      .where('keyHash', '=', keyHash)
      .where('createdAt', '>', this.#oldestKept())
      .executeTakeFirst()
  }

  /** Saves a record in place of an older one with the same key, and removes all records older than a day. */
  async save({ keyHash, ...answer }: IdempotencyRecord): Promise<void> {
    await this.#database.write((db) => [
      db.deleteFrom('idempotencyRecords').where('createdAt', '<=', this.#oldestKept()),
      db
        .insertInto('idempotencyRecords')
        .values({ keyHash, ...answer })
        .onConflict((conflict) => conflict.column('keyHash').doUpdateSet(answer)),
    ])
  }

  #oldestKept(): string {
    return this.#database.now(KEPT_SECONDS)
  }
}
