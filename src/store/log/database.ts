// The connections of one thread to the PostgreSQL server that keeps the logs. A statement that takes too long loses its connection:
// a cancel would report success for a commit whose standby never confirmed it.

import { Pool, type PoolClient } from 'pg'
import type { MigrationStep } from './schema.js'

const DEADLINE_MS = 3000
const MAX_CONNECTIONS = 4
/** Any number, the same for all: whoever migrates holds this advisory lock. */
const MIGRATION_LOCK = 7_255_091_201

/** The server did not say what became of a statement: it may have been done, and may yet be. */
export class OutcomeNotHeard extends Error {
  constructor(cause: unknown) {
    super('PostgreSQL did not answer', { cause })
    this.name = 'OutcomeNotHeard'
  }
}

export type Query = <T extends object>(text: string, values: unknown[], name?: string) => Promise<T[]>

export class Database {
  readonly #pool: Pool
  readonly #deadlineMs: number

  constructor(url: string, { deadlineMs = DEADLINE_MS }: { deadlineMs?: number | undefined } = {}) {
    this.#deadlineMs = deadlineMs
    this.#pool = new Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: deadlineMs,
      options: '-c synchronous_commit=on',
      allowExitOnIdle: true,
    })
    // Who uses a connection that breaks hears of it by the statement; of another one nobody needs to hear.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /** A statement with a name is parsed once for each connection. Throws OutcomeNotHeard, and what the server refused it for. */
  query: Query = async (text, values, name) => await this.onOneConnection((query) => query(text, values, name))

  async onOneConnection<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new OutcomeNotHeard(error)
    })
    let isLost = true
    try {
      const result = await work((text, values, name) => this.#run(client, text, values, name))
      isLost = false
      return result
    } catch (error) {
      isLost = error instanceof OutcomeNotHeard
      throw error
    } finally {
      client.release(isLost)
    }
  }

  /** Takes the steps that were not taken yet, whichever process comes first. */
  async migrate(steps: readonly MigrationStep[]): Promise<void> {
    await this.onOneConnection(async (query) => {
      await query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      try {
        await query('create table if not exists public.palimpsest_migrations (name text primary key)', [])
        const taken = await query<{ name: string }>('select name from public.palimpsest_migrations', [])
        for (const { name, sql } of steps.filter((step) => taken.every((row) => row.name !== step.name)))
          await query(
            `do $migration$ begin ${sql} insert into public.palimpsest_migrations values ('${name}'); end $migration$`,
            [],
          )
      } finally {
        await query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
      }
    })
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #run<T extends object>(client: PoolClient, text: string, values: unknown[], name?: string): Promise<T[]> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new OutcomeNotHeard('deadline')), this.#deadlineMs)
    })
    const answer = client.query<T>({ text, values, ...(name !== undefined && { name }) })
    // Of a statement that nobody waits for any more.
    answer.catch(() => undefined)
    try {
      return (await Promise.race([answer, deadline])).rows
    } catch (error) {
      throw wasRefused(error) ? error : new OutcomeNotHeard(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Whether the server says itself that a statement was not done. Of class 57, an operator's intervention, it does not: a server that is stopped
 * ends commits which wait for its standby, and has made them.
 */
function wasRefused(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57|58|XX)/.test(code)
}
