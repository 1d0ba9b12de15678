// Opens the nodes' catalog for an operator's command. The command reads its own copy, since the service may be running.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalog } from '../../catalog/catalog.js'
import { openNodeCatalog } from '../catalog/node-catalog.js'
import type { Clock } from '../../model/clock.js'
import { Connections } from '../postgres/connections.js'
import { parseDatabaseUrl } from '../postgres/database-url.js'

/** Opens the copy; closing removes it. */
export async function openCatalogBesideNode(
  { url, isFenced }: { url: string; isFenced: boolean },
  clock: Clock,
): Promise<{ catalog: Catalog; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  const connections = new Connections(parseDatabaseUrl(url, isFenced), 1)
  const end = async () => {
    await connections.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { catalog } = await openNodeCatalog(folder, connections, clock)
    return {
      catalog,
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
