// Starts nodes on their own databases for a bench.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresServer } from '../../test/servers/postgres-server.js'
import { type RunningService, runService } from '../ground/running-service.js'

/** Runs `work` with a PostgreSQL on this machine with default settings, and a synchronous standby if `hasStandby`. */
export async function withDatabase<T>(
  hasStandby: boolean,
  work: (database: PostgresServer, url: string) => Promise<T>,
): Promise<T> {
  const database = await PostgresServer.launch()
  if (database === undefined) throw new Error('PostgreSQL is not there (Debian: apt-get install postgresql)')
  let standby: PostgresServer | undefined
  try {
    const url = await database.createDatabase()
    if (hasStandby) standby = await database.addSynchronousStandby()
    return await work(database, url)
  } finally {
    await standby?.remove()
    await database.remove()
  }
}

/** Adds nodes until there are `count`. Each has an admin's key. */
export async function startNodes(nodes: RunningService[], folder: string, url: string, count: number): Promise<void> {
  while (nodes.length < count) {
    const dataDir = join(folder, `node-${nodes.length}`)
    mkdirSync(dataDir, { recursive: true })
    nodes.push(await startNode(dataDir, url))
  }
}

export async function startNode(dataDir: string, url: string): Promise<RunningService> {
  return await runService({ dataDir, scopes: 'admin', env: { DATABASE_URL: url } })
}

/** Makes sites and returns their ids. */
export async function makeSites({ port, key }: RunningService, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/sites`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ slug: `many-${i}` }),
    })
    const { data } = (await response.json()) as { data?: { id: string } }
    if (data === undefined) throw new Error(`POST /sites: ${response.status}`)
    ids.push(data.id)
  }
  return ids
}
