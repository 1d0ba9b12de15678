// A node of the tests: a data directory of its own, and the logs of a database that it shares with other nodes.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { migrate } from '../../../src/nodes/postgres/migrate.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { Database } from '../../../src/nodes/log/database.js'
import { LogRepositories } from '../../../src/nodes/log/log-repositories.js'
import { LOG_STEPS } from '../../../src/nodes/log/schema.js'
import { SiteLog } from '../../../src/nodes/log/site-log.js'

const CONNECTIONS = 4

export interface LogNode {
  dataDir: string
  log: SiteLog
  repositories: LogRepositories
  stop(): Promise<void>
}

export async function startLogNode(url: string, deadlineMs?: number): Promise<LogNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-node-'))
  const connections = new Connections(parseDatabaseUrl(url), CONNECTIONS)
  await migrate(connections, LOG_STEPS)
  const log = new SiteLog(new Database(connections, deadlineMs))
  return {
    dataDir,
    log,
    repositories: new LogRepositories(new DiskRepositories(dataDir), log, deadlineMs),
    async stop() {
      await connections.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
