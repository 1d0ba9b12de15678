// A service in two roles, for the tests of one file: one process with the role `api`, and two with the role `sites`.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiClient } from '../../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../../scenarios/serve-process.js'

export interface Beside {
  dataDir: string
  api: ServeProcess
  sites: [ServeProcess, ServeProcess]
  /** Has an admin's key. */
  client: ApiClient
  key: string
  gitdir: (slug: string) => string
}

/** Its fields are there from `before` on. */
export function useBeside(): Beside {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-roles-'))
  const beside = { dataDir, gitdir: (slug: string) => join(dataDir, `${slug}.git`) } as Beside

  before(async () => {
    beside.api = await serve({ dataDir })
    beside.sites = await Promise.all([serveSites(dataDir), serveSites(dataDir)])
    beside.key = await makeKey(dataDir, 'admin')
    beside.client = beside.api.api(beside.key)
  })
  after(async () => {
    await endProcesses(dataDir)
  })
  return beside
}

export function serveSites(dataDir: string): Promise<ServeProcess> {
  return serve({ dataDir, args: ['--role', 'sites'], env: { KEEP_ALIVE_SECONDS: '60' } })
}
