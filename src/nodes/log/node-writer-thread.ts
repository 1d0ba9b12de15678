// A node's writer thread with some of the sites. The logs of their repositories are in PostgreSQL.

import type { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import type { LogSettings } from '../../repository/protocol/writer-messages.js'
import { startWriter } from '../../repository/writing/start-writer.js'
import { Connections } from '../postgres/connections.js'
import { parseDatabaseUrl } from '../postgres/database-url.js'
import { KnownPrimary } from '../postgres/known-primary.js'
import { Database } from './database.js'
import { LogRepositories } from './log-repositories.js'
import { SiteLog } from './site-log.js'

const CLEANING_MS = 3600_000
/** The limit for one writer thread: so many sites append at once if there are few threads. */
const MAX_CONNECTIONS = 4
/** The limit for all writer threads. With the connections of the catalog and of src/nodes/primary.ts a node has at most 24. */
const CONNECTIONS_OF_ALL = 16

startWriter((disk, { log }) => openLogRepositories(disk, log as LogSettings))

/** Opens the repositories. The thread ends without closing anything. */
function openLogRepositories(
  disk: DiskRepositories,
  { url, isFenced, primary, threads }: LogSettings,
): LogRepositories {
  const max = Math.min(MAX_CONNECTIONS, Math.floor(CONNECTIONS_OF_ALL / threads))
  const connections = new Connections(parseDatabaseUrl(url, isFenced), max, new KnownPrimary(primary))
  const log = new SiteLog(new Database(connections))
  // Another node removes the pieces that this one cannot reach now.
  setInterval(() => void log.removeAbandoned().catch(() => undefined), CLEANING_MS).unref()
  return new LogRepositories(disk, log)
}
