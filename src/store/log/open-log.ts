// The logs of a database, as the threads of a node use them.

import type { DiskRepositories } from '../disk/disk-repositories.js'
import { Database } from './database.js'
import { LogRepositories } from './log-repositories.js'
import { LOG_STEPS } from './schema.js'
import { SiteLog } from './site-log.js'

const CLEANING_MS = 3600_000

/** For a writer thread, which ends without closing anything. */
export function openLogRepositories(disk: DiskRepositories, url: string): LogRepositories {
  const log = new SiteLog(new Database(url))
  // Another node removes what this one cannot reach now.
  setInterval(() => void log.removeAbandoned().catch(() => undefined), CLEANING_MS).unref()
  return new LogRepositories(disk, log)
}

/** For the look: the database is brought to the schema of this program first. */
export async function openLog(url: string): Promise<{ log: SiteLog; close: () => Promise<void> }> {
  const database = new Database(url)
  await database.migrate(LOG_STEPS)
  return { log: new SiteLog(database), close: () => database.close() }
}
