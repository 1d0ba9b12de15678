// One connection to the server that takes writes. node-postgres knows one host alone, so the hosts are tried in turn here.

import { Client, type QueryResult } from 'pg'
import { DatabaseUnavailable, DatabaseUnfit } from './database-errors.js'
import { type DatabaseServer, type DatabaseSettings, tlsOptionsOf } from './database-url.js'

/** What a server says about itself. */
interface ServerState {
  isReadOnly: boolean
  fsync: string
  fullPageWrites: string
  encoding: string
  version: number
}

/** The version of the tables that this program writes: it grows by one with a release that adds a migration step. */
export const TABLES_VERSION = 1

const CONNECT_MS = 2000
const LEAST_VERSION = 150_000
/**
 * The node decides what a commit promises, whatever the server's default is. No statement is ever cancelled: a commit that waits for
 * its standby would report success (measured). A session that a dead node left in a transaction ends, and its locks with it.
 */
const SESSION = `
  SET synchronous_commit = on;
  SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = '10s';
  SET TimeZone = 'UTC';
  SET palimpsest.tables_version = ${TABLES_VERSION};
  SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('server_encoding') AS encoding, current_setting('server_version_num')::integer AS version`

/** Throws DatabaseUnavailable, and DatabaseUnfit where a server that takes writes may lose them. */
export async function connect(settings: DatabaseSettings): Promise<Client> {
  const reasons: string[] = []
  for (const server of settings.servers) {
    const name = `${server.host}:${server.port}`
    const client = clientOf(server, settings)
    try {
      await client.connect()
      const state = await openSession(client)
      if (!state.isReadOnly) {
        const fault = faultOf(state)
        if (fault !== undefined) throw new DatabaseUnfit(`The PostgreSQL server ${name} ${fault}`)
        return client
      }
      reasons.push(`${name} takes no writes`)
    } catch (error) {
      if (error instanceof DatabaseUnfit) {
        destroy(client)
        throw error
      }
      reasons.push(`${name}: ${error instanceof Error ? error.message || error.name : String(error)}`)
    }
    destroy(client)
  }
  throw new DatabaseUnavailable(`No PostgreSQL server takes writes: ${reasons.join('; ')}.`)
}

/** Ends the connection at once, whatever it waits for. What the server was asked for may still happen there. */
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
  // A connection that breaks while nobody uses it; who uses it hears of it by the query.
  client.on('error', () => undefined)
  return client
}

/** One round trip. Results of several statements are a list, of which the last has the row. */
async function openSession(client: Client): Promise<ServerState> {
  const results = (await withDeadline(client, CONNECT_MS, () =>
    client.query(SESSION),
  )) as unknown as QueryResult<ServerState>[]
  const state = results.at(-1)?.rows[0]
  if (state === undefined) throw new Error('the server did not say what it is')
  return state
}

/** Runs work on a connection; where it takes longer, the connection is destroyed and the work fails. */
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
