// Pushes over HTTP: which key moved main from where to where. A pushed commit's own message proves nothing; this does.

import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { SqliteHandle, SqliteStatement } from '../sqlite/sqlite.js'

/** Commits of main after `before`, up to and with `after`. */
interface PushedRange {
  before: string
  after: string
}

export interface RecordedPush extends PushedRange {
  siteId: string
  /** Kind and id of the principal, as `makerNameOf` writes them. */
  maker: string
  /** The key's label. */
  author: string
  /** What was said about the push (`git push -o message=…`). */
  message: string | null
}

/** Older ones are no longer told apart in lists. */
const MAX_RANGES = 200

export class Pushes {
  readonly #clock: Clock
  readonly #insert: SqliteStatement<never>
  readonly #list: SqliteStatement<PushedRange>

  constructor({ sqlite }: { sqlite: SqliteHandle }, clock: Clock) {
    this.#clock = clock
    this.#insert = sqlite.prepare(
      `INSERT INTO pushes (site_id, before_oid, after_oid, maker, author, message, pushed_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#list = sqlite.prepare(
      `SELECT before_oid AS before, after_oid AS after FROM pushes WHERE site_id = ? AND maker = ? ORDER BY rowid DESC LIMIT ?`,
    )
  }

  /** Durable when it returns. */
  add({ siteId, before, after, maker, author, message }: RecordedPush): void {
    const now = toTimestamp(toSeconds(this.#clock()))
    this.#insert.run([siteId, before, after, maker, author, message, now])
  }

  /** Those of one principal, the newest first. Answers at once. */
  by(siteId: string, maker: string): PushedRange[] {
    return this.#list.all([siteId, maker, MAX_RANGES])
  }
}
