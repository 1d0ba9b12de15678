// Makes the whole service: opens the data directory, watches the repositories, and joins all protocols in one handler.

import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Admission } from '../admission/admission.js'
import { createApi } from '../protocols/api/app.js'
import { createRunRoute } from '../protocols/api/run-route.js'
import { type Address, sharesDomain } from './config/address.js'
import type { Config } from './config/config.js'
import { createDashboard, isOfDashboard } from '../protocols/dashboard/dashboard.js'
import { createHostRouter, type RequestHandler } from '../protocols/host/host-router.js'
import { createSiteSearch } from '../protocols/host/search/site-search.js'
import { isOfGit } from '../protocols/git-http/git-request.js'
import { inNetworks } from '../model/hosts/networks.js'
import { Sitemaps } from '../protocols/host/sitemap/sitemaps.js'
import { Checker } from '../repository/disk/checks/checker.js'
import { draftsOf } from '../repository/protocol/site-place.js'
import { Integrity, watchLoad } from '../repository/health/integrity.js'
import { Patrol } from '../repository/health/patrol.js'
import { findLink } from '../usecases/access/usable-link.js'
import type { Services } from '../usecases/context/services.js'
import type { Site } from '../catalog/site.js'
import { searchHosted } from '../usecases/pages/search-pages.js'
import { InterruptedRequests } from '../usecases/requests/interrupted.js'
import { OldRequests } from '../usecases/requests/retire-old.js'
import { makeFirstSite } from '../usecases/provisioning/first-site.js'
import { createLoggedGitHandler } from './git.js'
import { type OpenServices, openServices, type ServiceParts } from './open-services.js'
import { createPictures } from './pictures.js'
import { readMarkdown } from '../tasks/read-markdown.js'
import { createServiceTools } from './tools.js'

/** A year, for the base host only: the sites below it belong to others (RFC 6797 §6.1). */
const HSTS = 'max-age=31536000'

export interface Service {
  services: Services
  /** The slug of the site that a first start made; undefined on every later one. */
  firstSite: string | undefined
  handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Starts what the first visitor would wait for. */
  prepare(): void
  /** From here on the service reports that it is not ready; requests that still come are answered. */
  refuseNew(): void
  /** Waits for queued writes, then closes every file and thread. */
  close(): Promise<void>
}

/** Throws DataDirInUse when another process serves the same folder. */
export async function createService(
  config: Config,
  address: Address,
  parts: ServiceParts & { admission: Admission },
): Promise<Service> {
  const { logger } = parts
  const opened = await openServices(config, address, parts)
  const { services, machine } = opened
  if (sharesDomain(address))
    logger.warn('hosted pages share a registrable domain with the API: their scripts can set its cookies')
  const first = await machine.alone(() => settle(opened, logger))
  machine.takeCare({ ...services, timetable: opened.timetable })
  const watch = watchSites(config, opened, logger)
  const runRoute = createRunRoute(services)
  const tools = createServiceTools({ runRoute, limits: config.limits, logger })
  let ready = true
  const sitemaps = new Sitemaps(config.dataDir, services.clock)
  const api = createApi({
    services,
    runRoute,
    logger,
    isReady: () => ready,
    trustedProxies: config.trustedProxies,
    answerTools: tools.answer,
  })
  const handle = createHandler(config, address, {
    opened,
    parts,
    sitemaps,
    answerApi: api.callback(),
  })
  return {
    services,
    firstSite: first?.slug,
    handle,
    prepare: () => opened.hostedReader.start(),
    refuseNew() {
      ready = false
      machine.noteLeaving()
    },
    async close() {
      await tools.close()
      await sitemaps.close()
      await watch.stop()
      await opened.close()
    },
  }
}

/** Finishes or undoes what an interrupted process left. Returns the site that a first start makes. */
async function settle({ services, machine }: OpenServices, logger: Logger): Promise<Site | undefined> {
  await machine.recover(services)
  await services.provisioner.finishDeletions((site, error) =>
    logger.error(
      { err: error, site: site.slug },
      'the repository of this deleted site is still in DATA_DIR and cannot be moved to .retired/: move or remove it',
    ),
  )
  return await makeFirstSite(services)
}

/** Looks for damage in the background: refs every few seconds, contents slowly. */
function watchSites(
  config: Config,
  { services, troubles, machine }: OpenServices,
  logger: Logger,
): { stop(): Promise<void> } {
  const { store, catalog, indexFollower, replica } = services
  const watched = {
    // A site that is not complete here yet is not damaged.
    listSites: async () => (await catalog.sites.listLive()).filter((site) => !machine.isBehind(site)),
    troubles,
    onError: (error: unknown) => logger.error({ err: error }, 'the repositories cannot be watched'),
  }
  const checker = new Checker(store.repositories)
  const oldRequests = new OldRequests(services)
  const interrupted = new InterruptedRequests(services)
  const patrol = new Patrol({
    ...watched,
    inspect: (site) => checker.inspect(site),
    tend: () => oldRequests.retire(),
    maintainIfDue: (site) => store.maintenance.requestIfDue(site),
    async repair(site) {
      await store.writers.openRepository(site)
      if (existsSync(store.repositories.gitdir(draftsOf(site)))) await store.writers.openRepository(draftsOf(site))
    },
    async follow(site) {
      await replica.putRight(site).catch(() => undefined)
      await indexFollower.follow(site).catch(() => undefined)
      await interrupted.settle(site).catch(() => undefined)
    },
  })
  patrol.start()
  const integrity = new Integrity({
    ...watched,
    checker,
    limits: config.integrity,
    isBusy: watchLoad(),
  })
  integrity.start()
  return {
    async stop() {
      await patrol.stop()
      await integrity.stop()
    },
  }
}

interface HandlerParts {
  sitemaps: Sitemaps
  opened: OpenServices
  parts: ServiceParts
  answerApi: ReturnType<ReturnType<typeof createApi>['callback']>
}

/** Creates the handler that decides by host: a hosted site, or the base host with dashboard and API. */
function createHandler(
  config: Config,
  address: Address,
  { opened, parts, sitemaps, answerApi }: HandlerParts,
): Service['handle'] {
  const { machine, hostedReader, catchUpLater } = opened
  const { admission, catalog, clock, store, previews, tasks } = opened.services
  const isSecure = address.baseUrl.startsWith('https:')
  const git = createLoggedGitHandler(opened.services, inNetworks(config.trustedProxies), parts.logger)
  const pictures = createPictures(config, tasks, store.repositories)
  const dashboard = createDashboard({ siteDomain: address.siteDomain, isSecure })
  const base: RequestHandler = (request, response) => {
    if (isSecure) response.setHeader('Strict-Transport-Security', HSTS)
    if (isOfGit(request.url ?? '')) return git(request, response)
    return (isOfDashboard(request.url ?? '') ? dashboard : answerApi)(request, response)
  }
  return createHostRouter({
    address,
    baseHosts: config.baseHosts,
    trustedProxies: config.trustedProxies,
    admission,
    sites: catalog.sites,
    links: { find: (id) => findLink({ catalog, clock }, id) },
    withdrawals: catalog.withdrawals,
    indexes: opened.indexes,
    store: store.reader,
    reader: hostedReader,
    sitemaps,
    previews,
    cacheBytes: config.limits.cacheBytes,
    logger: parts.logger,
    clock,
    ...machine.freshness,
    base,
    onBehind: catchUpLater,
    search: createSiteSearch({
      search: (site, query) => searchHosted(opened.services, site, query),
      reader: hostedReader,
      withdrawals: catalog.withdrawals,
      admission,
      clock,
    }),
    ...(pictures && { pictures }),
    readMarkdown: ({ site, commit }, blob) => readMarkdown(tasks, store.repositories, site, commit, blob),
  })
}
