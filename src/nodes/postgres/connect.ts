// One connection to the server that takes writes. node-postgres knows only one host, so the hosts are asked here, all at once.

import { setTimeout as delay } from 'node:timers/promises'
import { Client, type QueryResult } from 'pg'
import { DatabaseUnavailable, DatabaseUnfit } from './database-errors.js'
import { type DatabaseServer, type DatabaseSettings, tlsOptionsOf } from './database-url.js'
import { KnownPrimary } from './known-primary.js'
import { isSplittable, STANDBYS, type Standbys } from './standbys.js'

/** A server's description of itself. */
interface ServerState extends Standbys {
  isReadOnly: boolean
  timeline: number
  fsync: string
  fullPageWrites: string
  encoding: string
  version: number
}

/** Version of the tables that this program writes. It grows by one with a release that adds a migration step. */
export const TABLES_VERSION = 1

const CONNECT_MS = 2000
/** Time that a server that takes writes waits for a newer one to answer. */
const SECOND_ANSWER_MS = 300
/** Longer than a node trusts a primary (src/nodes/primary.ts). */
const TRUST_ENDS_MS = 1200
const UNDEFINED_TABLE = '42P01'
const INVALID_SCHEMA = '3F000'
/** Timeline of a server that is not a standby. A standby has no write position. */
export const TIMELINE = "('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer"
const LEAST_VERSION = 150_000
/**
 * The node decides what a commit promises, independent of the server's defaults. No statement is ever cancelled: a commit that waits for
 * its standby would report success (measured). A session that a dead node left in a transaction ends, and its locks with it.
 */
const SESSION = `
  SET synchronous_commit = on;
  SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = '10s';
  SET TimeZone = 'UTC';
  SET palimpsest.tables_version = ${TABLES_VERSION};
  SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    CASE WHEN pg_is_in_recovery() THEN 0 ELSE ${TIMELINE} END AS timeline,
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('server_encoding') AS encoding, current_setting('server_version_num')::integer AS version,
    ${STANDBYS}`

export interface Connection {
  client: Client
  timeline: number
}

/**
 * Connects to the server with the newest timeline among those that take writes. Throws DatabaseUnavailable, and DatabaseUnfit if that
 * server may lose data that it has taken.
 */
export async function connect(settings: DatabaseSettings, known = new KnownPrimary()): Promise<Connection> {
  const tries = settings.servers.map((server) => tryServer(server, settings))
  const isFound = Promise.any(
    tries.map(async (each) => {
      if (typeof (await each) === 'string') throw new Error('it takes no writes')
    }),
  )
  const late = isFound.then(
    () => delay(SECOND_ANSWER_MS, 'no answer', { ref: false }),
    () => 'no answer',
  )
  const answers = await Promise.all(tries.map((each) => Promise.race([each, late])))
  const [best] = answers
    .filter((answer) => typeof answer !== 'string')
    .toSorted((a, b) => b.state.timeline - a.state.timeline)
  for (const each of tries)
    void each.then((other) => {
      if (typeof other !== 'string' && other !== best) destroy(other.client)
    })
  if (best === undefined)
    throw new DatabaseUnavailable(`No PostgreSQL server takes writes: ${answers.map(String).join('; ')}.`)
  const { client, name, state } = best
  const { timeline } = state
  try {
    const fault = faultOf(state)
    if (fault !== undefined) throw new DatabaseUnfit(`The PostgreSQL server ${name} ${fault}`)
    if (timeline < known.timeline())
      throw new DatabaseUnavailable(`The PostgreSQL server ${name} was replaced: a standby of it was promoted since.`)
    if (timeline > known.timeline()) await untilInForce(client, timeline)
    known.noteTimeline(timeline)
    known.noteUnsafe(!settings.isFenced && isSplittable(state))
    return { client, timeline }
  } catch (error) {
    destroy(client)
    throw error
  }
}

interface OpenServer {
  client: Client
  name: string
  state: ServerState
}

/** Returns a server that takes writes, or why this one does not. */
async function tryServer(server: DatabaseServer, settings: DatabaseSettings): Promise<OpenServer | string> {
  const name = `${server.host}:${server.port}`
  const client = clientOf(server, settings)
  try {
    await client.connect()
    const state = await openSession(client)
    if (!state.isReadOnly) return { client, name, state }
    destroy(client)
    return `${name} takes no writes`
  } catch (error) {
    destroy(client)
    return `${name}: ${error instanceof Error ? error.message || error.name : String(error)}`
  }
}

/**
 * Waits before the first commit on a new timeline until no node can trust the earlier primary any more. A node trusts one for less
 * than this time after a commit that the promoted standby has. The server's clock counts.
 */
async function untilInForce(client: Client, timeline: number): Promise<void> {
  await withDeadline(client, CONNECT_MS, async () => {
    try {
      await client.query('INSERT INTO palimpsest.timelines (timeline) VALUES ($1) ON CONFLICT DO NOTHING', [timeline])
      const { rows } = await client.query<{ age: number }>(
        'SELECT (1000 * extract(epoch FROM clock_timestamp() - met_at))::float AS age FROM palimpsest.timelines WHERE timeline = $1',
        [timeline],
      )
      const rest = TRUST_ENDS_MS - Math.max(rows[0]?.age ?? 0, 0)
      if (rest > 0) await delay(rest)
    } catch (error) {
      // No node has used this database yet.
      if (
        (error as { code?: unknown }).code !== UNDEFINED_TABLE &&
        (error as { code?: unknown }).code !== INVALID_SCHEMA
      )
        throw error
    }
  })
}

/** Ends the connection at once, even if it waits. The server may still do what it was asked to do. */
export function destroy(client: Client): void {
  client.connection.stream.destroy()
  client.end().catch(() => undefined)
}

function clientOf({ host, port }: DatabaseServer, settings: DatabaseSettings): Client {
  const { user, password, database } = settings
  const login = { user, password, database, host, port, ssl: tlsOptionsOf(settings) }
  const client = new Client({
    ...login,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'palimpsest',
  })
  // Ignores a break while the connection is idle; a user of it gets the error from the query.
  client.on('error', () => undefined)
  return client
}

/** Opens a session in one round trip. Results of several statements are a list; the last one has the row. */
async function openSession(client: Client): Promise<ServerState> {
  const results = (await withDeadline(client, CONNECT_MS, () =>
    client.query(SESSION),
  )) as unknown as QueryResult<ServerState>[]
  const state = results.at(-1)?.rows[0]
  if (state === undefined) throw new Error('the server did not say what it is')
  return state
}

/** Runs work on a connection. If it takes too long, the connection is destroyed and the work fails. */
export async function withDeadline<T>(client: Client, milliseconds: number, work: () => Promise<T>): Promise<T> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    destroy(client)
  }, milliseconds)
  try {
    return await work()
  } catch (error) {
    throw isLate ? new DatabaseUnavailable(`PostgreSQL did not answer within ${milliseconds} ms.`) : error
  } finally {
    clearTimeout(timer)
  }
}

function faultOf({ fsync, fullPageWrites, encoding, version }: ServerState): string | undefined {
  if (fsync !== 'on')
    return 'has fsync off: a power cut would lose what was acknowledged. Set "fsync = on" in postgresql.conf and reload it.'
  if (fullPageWrites !== 'on')
    return 'has full_page_writes off: a power cut could damage what is stored. Set "full_page_writes = on" and reload it.'
  if (encoding !== 'UTF8')
    return `keeps this database in ${encoding}: create it again with "createdb --encoding=UTF8 --template=template0".`
  if (version < LEAST_VERSION) return `has the version ${Math.floor(version / 10_000)}: upgrade it to 15 or later.`
  return undefined
}
