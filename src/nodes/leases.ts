// Leases in PostgreSQL: named work that one node at a time does. A living node renews its lease every second. The lease of a dead node
// ends by PostgreSQL's clock.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './postgres/connections.js'
import type { MigrationStep } from './postgres/migrate.js'

export const LEASE_STEPS: readonly MigrationStep[] = [
  {
    name: 'leases-0001',
    sql: `
      create table palimpsest.leases (
        name text primary key,
        node uuid not null,
        until timestamptz not null,
        -- What the node says of its work.
        said jsonb,
        -- Another node asks that the work ends.
        is_unwanted boolean not null default false
      )`,
  },
]

export interface Held {
  /** Gives the lease back; later calls do nothing. */
  release(): Promise<void>
}

export interface HoldOptions {
  /** Time after which it ends if its node is silent. */
  seconds: number
  /** Returns what other nodes are told about the work. */
  say?: () => object
  /** Called when another node asks that the work ends. */
  onUnwanted?: () => void
}

const RENEW_MS = 1000
const LOOK_MS = 100
const DEADLINE_MS = 3000

export class Leases {
  readonly #connections: Connections
  readonly #node = randomUUID()

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Takes the lease, or extends it. False if another node has it. */
  async take(name: string, seconds: number, said: object | null = null): Promise<boolean> {
    return (await this.#put(name, seconds, said)) !== undefined
  }

  /** Holds the lease until it is released or this process ends; undefined if another node has it. */
  async hold(name: string, { seconds, say, onUnwanted }: HoldOptions): Promise<Held | undefined> {
    if (!(await this.take(name, seconds, say?.()))) return undefined
    const renew = async () => {
      const row = await this.#put(name, seconds, say?.() ?? null)
      if (row?.isUnwanted === true) onUnwanted?.()
    }
    // If one renewal fails, the next may succeed.
    const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref()
    return {
      release: async () => {
        clearInterval(timer)
        await this.release(name)
      },
    }
  }

  async release(name: string): Promise<void> {
    // If this fails, the lease ends by itself.
    await this.#query('delete from palimpsest.leases where name = $1 and node = $2', [name, this.#node]).catch(
      () => undefined,
    )
  }

  /** Returns what the node with the lease says about its work; undefined if no node has the lease. */
  async find(name: string): Promise<object | undefined> {
    const [row] = await this.#query<{ said: object | null }>(
      'select said from palimpsest.leases where name = $1 and until > clock_timestamp()',
      [name],
    )
    return row && (row.said ?? {})
  }

  /** Asks the node with the lease to end its work. Resolves once no node has it. */
  async end(name: string): Promise<void> {
    for (; ; await pause(LOOK_MS)) {
      const rows = await this.#query(
        `update palimpsest.leases set is_unwanted = true where name = $1 and until > clock_timestamp() returning 1`,
        [name],
      )
      if (rows.length === 0) return
    }
  }

  /** Writes a lease. Also removes leases of dead nodes that ended long ago. */
  async #put(name: string, seconds: number, said: object | null): Promise<{ isUnwanted: boolean } | undefined> {
    const [row] = await this.#query<{ isUnwanted: boolean }>(
      `with gone as (delete from palimpsest.leases where until < clock_timestamp() - interval '1 day')
       insert into palimpsest.leases as held (name, node, until, said)
       values ($1, $2, clock_timestamp() + $3 * interval '1 second', $4)
       on conflict (name) do update
       set node = excluded.node, until = excluded.until, said = excluded.said,
         is_unwanted = held.is_unwanted and held.node = excluded.node
       where held.node = excluded.node or held.until < clock_timestamp()
       returning is_unwanted as "isUnwanted"`,
      [name, this.#node, seconds, said === null ? null : JSON.stringify(said)],
    )
    return row
  }

  async #query<T extends object>(text: string, values: unknown[]): Promise<T[]> {
    return await this.#connections.use(async (session) => (await session.query<T>({ text, values })).rows, DEADLINE_MS)
  }
}
