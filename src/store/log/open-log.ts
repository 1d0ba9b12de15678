// The logs of a database, as the threads of a node use them.

import { Connections } from '../../postgres/connections.js'
import { parseDatabaseUrl } from '../../postgres/database-url.js'
import { migrate } from '../../postgres/migrate.js'
import type { DiskRepositories } from '../disk/disk-repositories.js'
import { Database } from './database.js'
import { LogRepositories } from './log-repositories.js'
import { LOG_STEPS } from './schema.js'
import { SiteLog } from './site-log.js'

const CLEANING_MS = 3600_000
/** Of one writer thread: so many sites append at once. */
const WRITER_CONNECTIONS = 4
/** One look at a time is under way. */
const LOOK_CONNECTIONS = 1

/** For a writer thread, which ends without closing anything. */
export function openLogRepositories(disk: DiskRepositories, url: string): LogRepositories {
  const log = new SiteLog(new Database(new Connections(parseDatabaseUrl(url), WRITER_CONNECTIONS)))
  // Another node removes what this one cannot reach now.
  setInterval(() => void log.removeAbandoned().catch(() => undefined), CLEANING_MS).unref()
  return new LogRepositories(disk, log)
}

/** For the look: the database is brought to the schema of this program first. */
export async function openLog(url: string): Promise<{ log: SiteLog; close: () => Promise<void> }> {
  const connections = new Connections(parseDatabaseUrl(url), LOOK_CONNECTIONS)
  await migrate(connections, LOG_STEPS)
  return { log: new SiteLog(new Database(connections)), close: () => connections.close() }
}
