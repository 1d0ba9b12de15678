// A store as one of several nodes, with its read barrier: a node's part of a service, without HTTP.

import { CATALOG_STEPS } from '../../../src/nodes/catalog/node-schema.js'
import { ReadBarrier, type ReadBarrierParts } from '../../../src/nodes/read-barrier.js'
import { Primary } from '../../../src/nodes/primary.js'
import { Connections } from '../../../src/nodes/postgres/connections.js'
import { parseDatabaseUrl } from '../../../src/nodes/postgres/database-url.js'
import { NODE_STEPS } from '../../../src/nodes/schema.js'
import { migrate } from '../../../src/nodes/postgres/migrate.js'
import { KnownPrimary } from '../../../src/nodes/postgres/known-primary.js'
import { LOG_STEPS } from '../../../src/nodes/log/schema.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { isAt } from '../../../src/repository/refs-here.js'
import { Store } from '../../../src/repository/store.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }

export interface NodeStoreParts extends Partial<Pick<ReadBarrierParts, 'onFailure'>> {
  dataDir: string
  databaseUrl: string
  sites: readonly SiteRef[]
  patienceMs?: number | undefined
  /** Delays a replay of the site until its promise is settled. */
  delayOf?: (site: SiteRef) => Promise<void> | undefined
}

export async function openNodeStore(parts: NodeStoreParts) {
  const { dataDir, databaseUrl, sites, patienceMs, delayOf, onFailure = () => undefined } = parts
  const settings = parseDatabaseUrl(databaseUrl)
  const known = new KnownPrimary()
  const connections = new Connections(settings, 1, known)
  await migrate(connections, [...CATALOG_STEPS, ...LOG_STEPS, ...NODE_STEPS])
  await connections.close()
  const primary = new Primary(settings, known, { version: 'test' })
  const store = new Store({ dataDir, limits: LIMITS, database: { url: databaseUrl, primary: known.shared } })
  const barrier = new ReadBarrier(
    {
      moves: (since) => primary.pollMoves(since),
      followSigners: async () => undefined,
      followCatalog: async () => undefined,
      siteOf: (id) => sites.find((site) => site.id === id),
      isAt: (site, refs) => isAt(store.repositories, site, refs),
      onEnded: () => undefined,
      follow: async (site) => {
        await delayOf?.(site)
        await store.follow(site)
      },
      onStalled: (site, error) => store.setBehind(site, String(error)),
      onCurrent: (site) => store.setBehind(site, undefined),
      onAway: (site) => store.reader.refused.setBehind(site, true),
      onFailure,
    },
    patienceMs,
  )
  return {
    store,
    barrier,
    primary,
    close: async () => {
      barrier.close()
      await store.close()
      await primary.close()
    },
  }
}
