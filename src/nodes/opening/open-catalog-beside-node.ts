// Opens the nodes' catalog for an operator's command. The command reads its own copy, since the service may be running.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalog } from '../../catalog/catalog.js'
import { openNodeCatalog } from '../catalog/node-catalog.js'
import { Database } from '../log/database.js'
import { SiteLog } from '../log/site-log.js'
import type { Clock } from '../../model/clock.js'
import { Connections } from '../postgres/connections.js'
import { parseDatabaseUrl } from '../postgres/database-url.js'

/** A statement that removes a whole log takes longer than one of a request. */
const DEADLINE_MS = 10 * 60_000

export interface OpenedBeside {
  catalog: Catalog
  /** Removes the log of a deleted site. */
  forgetLog: (site: string) => Promise<void>
  close: () => Promise<void>
}

/** Opens the copy; closing removes it. */
export async function openCatalogBesideNode(
  { url, isFenced }: { url: string; isFenced: boolean },
  clock: Clock,
): Promise<OpenedBeside> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  const connections = new Connections(parseDatabaseUrl(url, isFenced), 1)
  const end = async () => {
    await connections.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { catalog } = await openNodeCatalog(folder, connections, clock)
    const log = new SiteLog(new Database(connections, DEADLINE_MS))
    return {
      catalog,
      forgetLog: (site) => log.forget(site),
      async close() {
        await catalog.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
