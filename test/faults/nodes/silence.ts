// How long nodes and PostgreSQL were silent: the longest time without an acknowledged write, node by node, and of PostgreSQL by a
// client of its own that has nothing to do with the service.

import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

const PATIENCE_MS = 1000
const PACE_MS = 20

/** Longest time between two neighbours of `start`, the moments from `start` to `end`, and `end`; milliseconds. */
export function longestGap(moments: readonly number[], start: number, end: number): number {
  const within = [start, ...moments.filter((moment) => moment > start && moment < end), end].toSorted((a, b) => a - b)
  return within.reduce((longest, moment, i) => Math.max(longest, moment - (within[i - 1] ?? moment)), 0)
}

/** Writes to whichever server takes writes, each time in a transaction of its own, until it is stopped. */
export class DatabaseProbe {
  readonly #urls: readonly string[]
  readonly #stopped = new AbortController()
  readonly moments: number[] = []
  #running: Promise<void> | undefined

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    for (let i = 0; !this.#stopped.signal.aborted; i++) {
      const url = this.#urls[i % this.#urls.length] ?? ''
      const client = new Client({
        connectionString: url,
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
      })
      client.on('error', () => undefined)
      // The next server, or the same one again.
      await this.#writeBy(client).catch(() => undefined)
      client.connection.stream.destroy()
      await pause(PACE_MS)
    }
  }

  async #writeBy(client: Client): Promise<void> {
    await client.connect()
    await client.query('SET synchronous_commit = on; CREATE TABLE IF NOT EXISTS probe (at timestamptz)')
    while (!this.#stopped.signal.aborted) {
      await client.query('INSERT INTO probe VALUES (now())')
      this.moments.push(performance.now())
      await pause(PACE_MS)
    }
  }
}
