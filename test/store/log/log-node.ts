// A node of the tests: a data directory of its own, and the logs of a database that it shares with other nodes.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskRepositories } from '../../../src/store/disk/disk-repositories.js'
import { Database } from '../../../src/store/log/database.js'
import { LogRepositories } from '../../../src/store/log/log-repositories.js'
import { LOG_STEPS } from '../../../src/store/log/schema.js'
import { SiteLog } from '../../../src/store/log/site-log.js'

export interface LogNode {
  dataDir: string
  log: SiteLog
  database: Database
  repositories: LogRepositories
  stop(): Promise<void>
}

export async function startLogNode(url: string, deadlineMs?: number): Promise<LogNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
  const database = new Database(url, { deadlineMs })
  await database.migrate(LOG_STEPS)
  const log = new SiteLog(database)
  return {
    dataDir,
    log,
    database,
    repositories: new LogRepositories(new DiskRepositories(dataDir), log),
    async stop() {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
