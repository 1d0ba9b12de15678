// Opens the logs of a database for a writer thread of a node.

import { Connections } from '../postgres/connections.js'
import { parseDatabaseUrl } from '../postgres/database-url.js'
import { KnownPrimary } from '../postgres/known-primary.js'
import type { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import { Database } from './database.js'
import type { LogSettings } from '../../repository/protocol/writer-messages.js'
import { LogRepositories } from './log-repositories.js'
import { SiteLog } from './site-log.js'

const CLEANING_MS = 3600_000
/** The limit for one writer thread: so many sites append at once if there are few threads. */
const MAX_CONNECTIONS = 4
/** The limit for all writer threads. With the connections of the catalog and of src/nodes/primary.ts a node has at most 24. */
const CONNECTIONS_OF_ALL = 16

/** Opens the repositories for a writer thread, which ends without closing anything. */
export function openLogRepositories(
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
