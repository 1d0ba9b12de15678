// The door to hosted sites, made of what reads alone: every process that serves sites makes one here.

import type { Logger } from 'pino'
import type { Catalog } from './catalog/catalog.js'
import type { Address, Config } from './config.js'
import { createDoor, type RequestHandler } from './host/door.js'
import { createSiteViews } from './host/site-view.js'
import type { PageChange } from './host/sitemap.js'
import type { SiteReader } from './store/site-reader.js'
import type { SiteRef } from './store/write.js'
import { siteUrlOf } from './usecases/site-url.js'

export interface HostingParts {
  config: Config
  address: Address
  catalog: Pick<Catalog, 'sites'>
  store: Pick<SiteReader, 'snapshot' | 'gitdir'>
  logger: Pick<Logger, 'error'>
  /** Takes what is for the base door: API, tools, dashboard, health. It must not reject. */
  base: RequestHandler
  /** When the pages of a site were last changed; undefined while the index is not at the commit. */
  lastChanges?: (site: SiteRef, commit: string) => PageChange[] | undefined
}

/** The handler of all requests: those for sites are answered, those for the base door handed on. */
export function createHosting(parts: HostingParts): RequestHandler {
  const { config, address, catalog, store, logger, base, lastChanges } = parts
  return createDoor({
    address,
    baseHosts: config.baseHosts,
    base,
    findView: createSiteViews({
      findSite: (slug) => catalog.sites.findBySlug(slug),
      store,
      sitemapOf: (site, { commit }) => ({
        origin: siteUrlOf(address, site.slug),
        lastChanges: () => lastChanges?.(site, commit),
      }),
    }),
    cacheBytes: config.limits.cacheBytes,
    logger,
  })
}
