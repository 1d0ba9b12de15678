// The whole service behind one handler: every part made and joined here, and nowhere else.

import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { createApi } from '../api/app.js'
import { createRunRoute } from '../api/run-route.js'
import { openCatalog } from '../catalog/catalog.js'
import { lockDataDir } from '../catalog/sqlite/data-dir-lock.js'
import { openIndex } from '../catalog/index/site-index.js'
import { WriteGate } from '../catalog/sqlite/write-gate.js'
import { type Address, cacheBytesOf, type Config, sharesDomain } from '../config/config.js'
import { createDashboard, isOfDashboard } from '../dashboard/dashboard.js'
import { createDoor } from '../host/door.js'
import type { Clock, MakeId } from '../model/clock.js'
import { Integrity, watchLoad } from '../store/health/integrity.js'
import { Patrol } from '../store/health/patrol.js'
import { Store } from '../store/store.js'
import { Troubles } from '../store/health/troubles.js'
import type { SiteRef } from '../store/protocol/write.js'
import { IdempotencyGuard } from '../usecases/context/idempotency.js'
import { makeFirstSite } from '../usecases/provisioning/first-site.js'
import { Provisioner } from '../usecases/provisioning/provisioner.js'
import { Indexer } from '../indexing/indexer.js'
import { SiteIndexFollower } from '../indexing/site-index-follower.js'
import { Introspection } from '../oauth/introspection.js'
import { Previews } from '../store/reading/previews.js'
import { RecordValidator } from '../record-schemas/record-validator.js'
import type { Services } from '../usecases/context/services.js'
import { createServiceTools } from './tools.js'
import type { Finding } from '../workers/messages.js'

/** A write whose turn at the index does not come within this is answered all the same: the index follows. */
const INDEX_PATIENCE_MS = 100
/** A log of the index this long is one that nobody copies: 128 MiB. */
const ABANDONED_LOG_PAGES = 32_000

export interface Service {
  services: Services
  /** The slug of the site that a first start made; undefined on every later one. */
  firstSite: string | undefined
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Acts on what a worker found: reports a damaged site, or brings a site's index to its head. */
  onFinding: (finding: Finding) => void
  /** Readiness says no from here on; what comes is still answered. */
  refuseNew(): void
  /** Waits for queued writes, then lets go of everything. */
  close(): Promise<void>
}

export interface ServiceParts {
  logger: Logger
  clock: Clock
  newId: MakeId
  /** Told when a site may have another head, is shown otherwise, or is gone; a write is answered once it resolves. It must not reject. */
  onMoved?: (site: SiteRef) => Promise<void>
}

/** Throws DataDirInUse when another process serves the same folder. */
export async function createService(config: Config, address: Address, parts: ServiceParts): Promise<Service> {
  const { logger, clock, newId, onMoved } = parts
  mkdirSync(config.dataDir, { recursive: true })
  const unlock = lockDataDir(config.dataDir)
  const { limits, dataDir } = config
  const catalog = await openCatalog(dataDir, { clock })
  const writeGate = new WriteGate()
  // This thread serves: it writes first, and the indexer's thread copies the log into the file while that one runs.
  const index = openIndex(dataDir, clock, {
    busyTimeout: INDEX_PATIENCE_MS,
    checkpointPages: ABANDONED_LOG_PAGES,
    writesFirstAt: writeGate,
  })
  const troubles = new Troubles({
    clock,
    onNew: ({ slug, kind, subject, what }) => logger.error({ site: slug, kind, subject }, `trouble: ${what}`),
  })
  const indexer = new Indexer(dataDir, troubles, writeGate)
  const store = new Store({ dataDir, limits, troubles, ...(onMoved && { onMoved }) })
  const indexFollower = new SiteIndexFollower({ index, indexer, store })
  const validator = new RecordValidator()
  const introspection =
    config.introspection &&
    new Introspection({
      settings: { ...config.introspection, audience: config.introspection.audience ?? address.baseUrl },
      catalog,
      clock,
    })
  const previews = new Previews(limits, clock)
  const services: Services = {
    store,
    index,
    indexFollower,
    catalog,
    validator,
    previews,
    idempotency: new IdempotencyGuard({ catalog, clock }),
    provisioner: new Provisioner({ catalog, store, clock, newId }),
    introspection,
    clock,
    newId,
    limits,
    ...address,
  }
  if (sharesDomain(address))
    logger.warn('hosted pages share a registrable domain with the API: their scripts can set its cookies')
  await services.provisioner.recover()
  const first = await makeFirstSite(services)

  const watched = {
    listSites: () => catalog.sites.listLive(),
    troubles,
    onError: (error: unknown) => logger.error({ err: error }, 'the repositories cannot be watched'),
  }
  const patrol = new Patrol({
    ...watched,
    inspect: (site) => store.repositories.inspect(site),
    repair: (site) => store.repair(site),
  })
  patrol.start()
  const integrity = new Integrity({
    ...watched,
    checker: store.repositories.makeChecker(),
    limits: config.integrity,
    isBusy: watchLoad(),
  })
  integrity.start()

  let ready = true
  const runRoute = createRunRoute(services)
  const tools = createServiceTools({ runRoute, limits, logger })
  const api = createApi({
    services,
    runRoute,
    logger,
    isReady: () => ready,
    trustedProxies: config.trustedProxies,
    answerTools: tools.answer,
  })
  const answerApi = api.callback()
  const dashboard = createDashboard({ siteDomain: address.siteDomain, isSecure: address.baseUrl.startsWith('https:') })
  const catchUpLater = (siteId: string) => {
    // The next read that needs the index reports what hinders it.
    for (const site of catalog.sites.findByIdPrefix(siteId)) indexFollower.catchUp(site).catch(() => undefined)
  }
  const handle = createDoor({
    address,
    baseHosts: config.baseHosts,
    sites: catalog.sites,
    linkSecret: catalog.linkSecret,
    index,
    store,
    previews,
    cacheBytes: cacheBytesOf(config),
    logger,
    clock,
    base: (request, response) => (isOfDashboard(request.url ?? '') ? dashboard : answerApi)(request, response),
    onBehind: catchUpLater,
  })
  return {
    services,
    firstSite: first?.slug,
    handle,
    onFinding: (finding) =>
      finding.type === 'behind' ? catchUpLater(finding.siteId) : troubles.report(finding.site, finding.trouble),
    refuseNew: () => (ready = false),
    async close() {
      await tools.close()
      await patrol.stop()
      await integrity.stop()
      await store.close()
      await indexer.close()
      await validator.close()
      index.close()
      catalog.close()
      unlock()
    },
  }
}
