// A node's copy of the whole catalog, in SQLite, so that frequent questions are answered as on a single machine. It is made when the
// node starts, and applies changes in the order in which PostgreSQL committed them.

import type { Connections, Session } from '../postgres/connections.js'
import { SharedRun } from '../../threads/shared-run.js'
import type { SqliteHandle } from '../../catalog/sqlite/sqlite.js'
import { CATALOG_KEYS } from './node-schema.js'

type Values = Record<string, string | number | null>

interface Position {
  version: string
  mark: string
}

/** A change since the copy's position. If there is none, one row comes with nulls. */
interface Change {
  newest: string
  newestMark: string
  version: string | null
  mark: string
  table: string
  key: Values
  row: Values | null
}

const TABLES = Object.keys(CATALOG_KEYS)
const ROWS_A_FETCH = 5000
const COPY_MS = 10 * 60_000
/** Includes the change of the copy's own version: its mark says whether the history is still the same. */
const CHANGES = `
  SELECT now.version AS newest, now.mark AS "newestMark", change.*
  FROM catalog.version AS now LEFT JOIN LATERAL (
    SELECT version, item, mark, "table", key, "row" FROM catalog.changes
    WHERE version BETWEEN $1::bigint AND $1::bigint + 500 AND now.mark != $2
  ) AS change ON true
  ORDER BY change.version, change.item`

export class CatalogCopy {
  readonly #connections: Connections
  /** A connection for this class alone: other connections of this process see its changes as those of another process. */
  readonly #sqlite: SqliteHandle
  readonly #columns = new Map<string, readonly string[]>()
  #position: Position | undefined
  readonly #polls = new SharedRun(() => this.#catchUp())

  constructor(connections: Connections, sqlite: SqliteHandle) {
    this.#connections = connections
    this.#sqlite = sqlite
    for (const table of TABLES) {
      const columns = sqlite.prepare<{ name: string }>(`PRAGMA table_info(${table})`).all([])
      this.#columns.set(table, [...(table === 'pushes' ? ['rowid'] : []), ...columns.map(({ name }) => name)])
    }
  }

  /**
   * Resolves once the copy has every change that was committed before this call. One query to PostgreSQL serves all callers
   * that came before it began. Nothing is asked if the copy is already at the position with this mark. Throws DatabaseUnavailable.
   */
  async follow(mark?: string): Promise<void> {
    if (mark === undefined || mark !== this.#position?.mark) await this.#polls.after()
  }

  /** Changes with the catalog. */
  get mark(): string | undefined {
    return this.#position?.mark
  }

  async #catchUp(): Promise<void> {
    for (let position = this.#position; ; position = this.#position) {
      if (position === undefined) {
        await this.#connections.use((session) => this.#copyAll(session), COPY_MS)
        continue
      }
      const { rows } = await this.#connections.use((session) =>
        session.query<Change>(CHANGES, [position.version, position.mark]),
      )
      if (rows[0]?.newestMark === position.mark) return
      if (continues(rows, position)) this.#apply(rows)
      else this.#position = undefined
    }
  }

  #apply(changes: readonly Change[]): void {
    this.#sqlite.transact(() => {
      for (const { version, table, key, row } of changes) {
        if (version === this.#position?.version || !(table in CATALOG_KEYS)) continue
        if (row === null) this.#remove(table, key)
        else this.#put(table, row)
      }
    })
    const newest = changes.at(-1)
    if (newest !== undefined && newest.version !== null) this.#position = { version: newest.version, mark: newest.mark }
  }

  /** Copies every row as of one moment, in place of the present rows. */
  async #copyAll(session: Session): Promise<void> {
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await session.query<Position>('SELECT version, mark FROM catalog.version')
    this.#sqlite.exec('BEGIN IMMEDIATE')
    try {
      for (const table of TABLES) await this.#copyTable(session, table)
      this.#sqlite.exec('COMMIT')
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK')
      throw error
    }
    await session.query('COMMIT')
    this.#position = rows[0]
  }

  async #copyTable(session: Session, table: string): Promise<void> {
    this.#sqlite.exec(`DELETE FROM ${table}`)
    await session.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS "row" FROM catalog.${table} AS t`)
    for (;;) {
      const { rows } = await session.query<{ row: Values }>(`FETCH ${ROWS_A_FETCH} FROM copied`)
      for (const { row } of rows) this.#put(table, row)
      if (rows.length < ROWS_A_FETCH) break
    }
    await session.query('CLOSE copied')
  }

  /** Stores a row, without columns that this version of the program does not know. */
  #put(table: string, row: Values): void {
    const columns = (this.#columns.get(table) ?? []).filter((name) => name in row)
    const places = columns.map(() => '?').join(', ')
    this.#sqlite
      .prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
      .run(columns.map((name) => row[name] ?? null))
  }

  #remove(table: string, key: Values): void {
    const columns = CATALOG_KEYS[table] ?? []
    const condition = columns.map((name) => `${name} = ?`).join(' AND ')
    this.#sqlite.prepare(`DELETE FROM ${table} WHERE ${condition}`).run(columns.map((name) => key[name] ?? null))
  }
}

/**
 * Whether the changes continue from a position: they begin with its own version. Otherwise some are gone, or the history
 * is another one.
 */
function continues(changes: readonly Change[], { version, mark }: Position): boolean {
  const [first, last] = [changes[0], changes.at(-1)]
  return first?.version === version && first.mark === mark && last?.version !== version
}
