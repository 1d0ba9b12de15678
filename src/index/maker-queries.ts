// Finds the commits of each maker, newest first, on main's first-parent chain.

import type { RowReader } from './tables/sql.js'

export interface MadeCommit {
  oid: string
  position: number
  /** Seconds; null once a later commit claims an earlier time. */
  time: number | null
}

export class MakerQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** Lists the names of all makers. Costs one look-up for each of them, however many commits they made. */
  list(): string[] {
    const next = (after: string) => `(SELECT min(maker) FROM commits WHERE maker > ${after})`
    return this.#rows
      .all<{ maker: string }>(
        `WITH RECURSIVE makers (maker) AS (
           SELECT ${next("''")} UNION ALL SELECT ${next('makers.maker')} FROM makers WHERE maker IS NOT NULL
         ) SELECT maker FROM makers WHERE maker IS NOT NULL`,
        [],
      )
      .map(({ maker }) => maker)
  }

  /** Lists at most `limit` commits of a maker before a position, newest first. */
  before(maker: string, position: number, limit: number): MadeCommit[] {
    return this.#rows.all<MadeCommit>(
      `SELECT oid, position, dated_at AS time FROM commits INDEXED BY commits_by_maker WHERE maker = ? AND position < ?
       ORDER BY position DESC LIMIT ?`,
      [maker, position, limit],
    )
  }

  /** Finds the position after the newest commit that is not later than a time in seconds; 0 if all are later. */
  positionAfter(time: number): number {
    const found = this.#rows.first<{ position: number }>(
      'SELECT position FROM commits WHERE dated_at <= ? ORDER BY dated_at DESC, position DESC LIMIT 1',
      [time],
    )
    return found === undefined ? 0 : found.position + 1
  }

  /** Finds the oldest commit of a maker from a position on. */
  firstFrom(maker: string, position: number): MadeCommit | undefined {
    return this.#rows.first<MadeCommit>(
      `SELECT oid, position, dated_at AS time FROM commits INDEXED BY commits_by_maker WHERE maker = ? AND position >= ?
       ORDER BY position LIMIT 1`,
      [maker, position],
    )
  }
}
