// Measures the silence of nodes and PostgreSQL: the longest time without an acknowledged write, node by node, and of PostgreSQL by a
// separate client that does not use the service.

import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

const PATIENCE_MS = 1000
const PACE_MS = 20

/** A write of a client to a node; moments of this process's clock. */
export interface Attempt {
  begun: number
  ended: number
  isAcknowledged: boolean
  /** The answer or the error that the client got. */
  said: string
}

/** Longest time between two neighbours of `start`, the moments from `start` to `end`, and `end`. */
export function longestGap(moments: readonly number[], start: number, end: number): { from: number; to: number } {
  const within = [start, ...moments.filter((moment) => moment > start && moment < end), end].toSorted((a, b) => a - b)
  let longest = { from: start, to: start }
  for (const [i, to] of within.entries()) {
    const from = within[i - 1] ?? to
    if (to - from > longest.to - longest.from) longest = { from, to }
  }
  return longest
}

export function acknowledgementsIn(attempts: readonly Attempt[]): number[] {
  return attempts.flatMap(({ ended, isAcknowledged }) => (isAcknowledged ? [ended] : []))
}

/** Describes the answers other than acknowledgements in that time, and how long the write took that ended it. */
export function tellOf(attempts: readonly Attempt[], { from, to }: { from: number; to: number }): string {
  const counts = new Map<string, number>()
  for (const { said, ended, isAcknowledged } of attempts)
    if (!isAcknowledged && ended > from && ended < to) counts.set(said, (counts.get(said) ?? 0) + 1)
  const refused = Array.from(counts, ([said, count]) => `${count} × ${said}`).join(', ')
  const last = attempts.find(({ ended, isAcknowledged }) => isAcknowledged && ended >= to)
  const waited = last === undefined ? '' : `; the write that ended it took ${seconds(last.ended - last.begun)}`
  return `${refused || 'no other answer'}${waited}`
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
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
