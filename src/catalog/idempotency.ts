// Answers to POSTs that make no commit (such as a new site), kept for a day so that a retry gets the same answer.
// A POST that makes a commit needs no row here: its idempotency key is a trailer of the commit.

import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { CatalogTables } from './database/tables.js'

export interface IdempotencyRecord {
  /** SHA-256 of principal, route, site and key. */
  keyHash: string
  /** SHA-256 of the canonical request. */
  requestHash: string
  status: number
  /** Body of the answer as it was sent. */
  body: string
  createdAt: string
}

/** One day, as design §5 says. */
const KEPT_SECONDS = 24 * 60 * 60

export class IdempotencyRecords {
  readonly #db: OpenDatabase<CatalogTables>['db']
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock

  constructor({ db, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#db = db
    this.#write = write
    this.#clock = clock
  }

  /** Finds a record; undefined if there is none or it is older than a day. */
  async find(keyHash: string): Promise<IdempotencyRecord | undefined> {
    const row = await this.#db
      .selectFrom('idempotency_records')
      .selectAll()
      .where('key_hash', '=', keyHash)
      .where('created_at', '>', this.#oldestKept())
      .executeTakeFirst()
    return row && readRow(row)
  }

  /** Saves a record in place of an older one with the same key, and removes all records older than a day. */
  async save(record: IdempotencyRecord): Promise<void> {
    const answer = {
      request_hash: record.requestHash,
      status: record.status,
      body: record.body,
      created_at: record.createdAt,
    }
    await this.#write((db) => [
      db.deleteFrom('idempotency_records').where('created_at', '<=', this.#oldestKept()).compile(),
      db
        .insertInto('idempotency_records')
        .values({ key_hash: record.keyHash, ...answer })
        .onConflict((conflict) => conflict.column('key_hash').doUpdateSet(answer))
        .compile(),
    ])
  }

  #oldestKept(): string {
    return toTimestamp(toSeconds(this.#clock()) - KEPT_SECONDS)
  }
}

function readRow(row: Selectable<CatalogTables['idempotency_records']>): IdempotencyRecord {
  return {
    keyHash: row.key_hash,
    requestHash: row.request_hash,
    status: row.status,
    body: row.body,
    createdAt: row.created_at,
  }
}
