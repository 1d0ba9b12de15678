// The connections of one part of a node: at most so many at once, made when they are needed and kept for the next. Every use has
// a deadline, and what passes it loses its connection: a cancel could report a commit that no standby has.

import type { Client } from 'pg'
import { connect, destroy, withDeadline } from './connect.js'
import { CommitUnknown, DatabaseUnavailable } from './database-errors.js'
import type { DatabaseSettings } from './database-url.js'

/** A deadline for statements that wait for nothing but the disk and a standby. */
const DEADLINE_MS = 10_000

export type Session = Pick<Client, 'query'>

export class Connections {
  readonly #settings: DatabaseSettings
  readonly #max: number
  readonly #idle: Client[] = []
  /** Who waits for a connection, first come first served. */
  readonly #waiting: (() => void)[] = []
  #used = 0
  #isClosed = false

  constructor(settings: DatabaseSettings, max: number) {
    this.#settings = settings
    this.#max = max
  }

  /**
   * Runs work on a connection that is its own meanwhile. Where the work fails, the connection is given up: nobody knows what it
   * waits for. Throws DatabaseUnavailable where no server takes writes, or none answered before the deadline.
   */
  async use<T>(work: (session: Session) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    await this.#untilFree()
    let client: Client | undefined
    try {
      client = this.#idle.pop() ?? (await this.#connect())
      const used = client
      const result = await withDeadline(used, deadlineMs, () => work(used))
      this.#keep(used)
      return result
    } catch (error) {
      if (client !== undefined) destroy(client)
      throw isOfConnection(error)
        ? Object.assign(new DatabaseUnavailable(`The connection to PostgreSQL was lost: ${error.message}`), {
            cause: error,
          })
        : error
    } finally {
      this.#used -= 1
      this.#waiting.shift()?.()
    }
  }

  /**
   * The same in one transaction, which is rolled back where the work fails. Throws CommitUnknown where nobody knows whether it was
   * committed.
   */
  async transact<T>(work: (session: Session) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    let isCommitting = false
    try {
      return await this.use(async (session) => {
        await session.query('BEGIN')
        const result = await work(session)
        isCommitting = true
        await session.query('COMMIT')
        return result
      }, deadlineMs)
    } catch (error) {
      throw isCommitting && error instanceof DatabaseUnavailable ? new CommitUnknown(error) : error
    }
  }

  /** Ends idle connections now, and those in use when their work ends. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#idle.splice(0).map((client) => client.end().catch(() => undefined)))
  }

  async #untilFree(): Promise<void> {
    if (this.#isClosed) throw new DatabaseUnavailable('The service is stopping.')
    this.#used += 1
    if (this.#used <= this.#max) return
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #keep(client: Client): void {
    if (this.#isClosed) return void client.end().catch(() => undefined)
    this.#idle.push(client)
  }

  /** A connection that breaks while it is idle is not handed out again. */
  async #connect(): Promise<Client> {
    const client = await connect(this.#settings)
    client.once('end', () => {
      const at = this.#idle.indexOf(client)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return client
  }
}

/** True for what the driver throws where a connection broke or the server shut it: errors of statements have a SQLSTATE of another class. */
function isOfConnection(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // 08: connection exception; 57P: the server stops or starts; node's own codes begin with E.
  return /^(?:08...|57P..|E[A-Z]+)$/.test(code) || /^Connection terminated|not queryable/.test(error.message)
}
