// The connections of one part of a node: a limited number, made when needed and kept for reuse. Every use has
// a deadline. A use that passes it loses its connection: a cancel could report a commit that no standby has.

import type { Client } from 'pg'
import { connect, type Connection, destroy, withDeadline } from './connect.js'
import { CommitUnknown, DatabaseUnavailable, WritesUnsafe } from './database-errors.js'
import type { DatabaseSettings } from './database-url.js'
import { KnownPrimary } from './known-primary.js'

/** Deadline for statements that wait only for the disk and a standby. */
const DEADLINE_MS = 10_000
/** Time after which a use ends if its server was replaced: a commit there waits for a standby that no longer confirms. */
const WATCH_MS = 100

export type Session = Pick<Client, 'query'>

export class Connections {
  readonly #settings: DatabaseSettings
  readonly #max: number
  readonly #known: KnownPrimary
  readonly #idle: Connection[] = []
  /** Waiting uses, first come first served. */
  readonly #waiting: (() => void)[] = []
  #used = 0
  #isClosed = false

  constructor(settings: DatabaseSettings, max: number, known = new KnownPrimary()) {
    this.#settings = settings
    this.#max = max
    this.#known = known
  }

  /**
   * Runs work on a connection of its own. If the work fails, the connection is dropped: it may still wait for something.
   * Throws DatabaseUnavailable if no server takes writes, or none answered before the deadline.
   */
  async use<T>(work: (session: Session) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    await this.#untilFree()
    let used: Connection | undefined
    let watch: NodeJS.Timeout | undefined
    try {
      const taken = (used = this.#takeIdle() ?? (await this.#connect()))
      const { client } = taken
      watch = setInterval(() => this.#wasReplaced(taken) && destroy(client), WATCH_MS)
      const result = await withDeadline(client, deadlineMs, () => work(client))
      if (this.#wasReplaced(used)) throw new DatabaseUnavailable('The PostgreSQL server was replaced meanwhile.')
      this.#keep(used)
      return result
    } catch (error) {
      if (used !== undefined) destroy(used.client)
      throw isOfConnection(error)
        ? Object.assign(new DatabaseUnavailable(`The connection to PostgreSQL was lost: ${error.message}`), {
            cause: error,
          })
        : error
    } finally {
      clearInterval(watch)
      this.#used -= 1
      this.#waiting.shift()?.()
    }
  }

  /**
   * Runs work whose writes will be acknowledged. Throws WritesUnsafe, with nothing written, if the server could be replaced and still
   * go on to commit.
   */
  async write<T>(work: (session: Session) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    return await this.use(async (session) => {
      if (this.#known.isUnsafe()) throw new WritesUnsafe()
      return await work(session)
    }, deadlineMs)
  }

  /**
   * Does the same in one transaction, which is rolled back if the work fails. Throws CommitUnknown if it is unknown whether it was
   * committed.
   */
  async transact<T>(work: (session: Session) => Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
    let isCommitting = false
    try {
      return await this.write(async (session) => {
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
    await Promise.all(this.#idle.splice(0).map(({ client }) => client.end().catch(() => undefined)))
  }

  async #untilFree(): Promise<void> {
    if (this.#isClosed) throw new DatabaseUnavailable('The service is stopping.')
    this.#used += 1
    if (this.#used <= this.#max) return
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!this.#wasReplaced(idle)) return idle
      destroy(idle.client)
    }
    return undefined
  }

  #wasReplaced({ timeline }: Connection): boolean {
    return timeline < this.#known.timeline()
  }

  #keep(used: Connection): void {
    if (this.#isClosed) return void used.client.end().catch(() => undefined)
    this.#idle.push(used)
  }

  /** Connects. A connection that breaks while it is idle is not handed out again. */
  async #connect(): Promise<Connection> {
    const made = await connect(this.#settings, this.#known)
    made.client.once('end', () => {
      const at = this.#idle.indexOf(made)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return made
  }
}

/** Whether the driver's error means that a connection broke or the server closed it: errors of statements have other SQLSTATE classes. */
function isOfConnection(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // 08: connection exception; 57P: the server stops or starts; node's own codes begin with E.
  return /^(?:08...|57P..|E[A-Z]+)$/.test(code) || /^Connection terminated|not queryable/.test(error.message)
}
