// The door to hosted sites, made of what reads alone: every process that serves sites makes one here.

import type { Logger } from 'pino'
import type { Catalog } from '../catalog/catalog.js'
import type { SiteIndex } from '../catalog/index/site-index.js'
import type { Address, Config } from '../config/config.js'
import { createDoor, type RequestHandler } from '../host/door.js'
import { createPreviewViews } from '../host/views/preview-view.js'
import { createSiteViews } from '../host/views/site-view.js'
import { createTimeGate } from '../host/time-gate.js'
import type { Clock } from '../model/clock.js'
import type { SiteReader } from '../store/reading/site-reader.js'
import { lastChangesAt, pageFactsAt } from '../indexing/last-changes.js'
import { createPastCommits } from '../indexing/past-commits.js'
import type { Previews } from '../store/reading/previews.js'
import { siteUrlOf, targetUrlOf } from '../model/hosts/site-url.js'

export interface HostingParts {
  config: Config
  address: Address
  catalog: Pick<Catalog, 'sites' | 'linkSecret'>
  index: SiteIndex
  store: Pick<SiteReader, 'snapshot'>
  logger: Pick<Logger, 'error'>
  clock: Clock
  /** Told of a site whose index is behind. */
  onBehind: (siteId: string) => void
  /** Drafts that can be looked at; left out where another process has them. */
  previews?: Previews
  /** Takes what is for the base door: API, tools, dashboard, health. It must not reject. */
  base: RequestHandler
}

/** The handler of all requests: those for sites are answered, those for the base door handed on. */
export function createHosting(parts: HostingParts): RequestHandler {
  const { config, address, catalog, index, store, logger, clock, previews, base } = parts
  const past = createPastCommits({ index, onBehind: parts.onBehind })
  const sites = {
    store,
    findSite: (slug: string) => catalog.sites.findBySlug(slug),
    linkOriginal: (slug: string, target: string, relation: string) =>
      `<${targetUrlOf(address, slug, target)}>; rel="${relation}"`,
  }
  return createDoor({
    address,
    baseHosts: config.baseHosts,
    base,
    ...(previews && {
      findPreview: createPreviewViews({ ...sites, findPreview: (label) => previews.find(label) }),
    }),
    findView: createSiteViews({
      ...sites,
      sitemapOf: (site, { commit }) => ({
        origin: siteUrlOf(address, site.slug),
        lastChanges: () => lastChangesAt(parts, site.id, commit),
      }),
      findSitesByIdPrefix: (prefix) => catalog.sites.findByIdPrefix(prefix),
      findCommit: (head, prefix) => past.find(head, prefix),
      linkSecret: catalog.linkSecret,
      now: clock,
    }),
    timeGate: createTimeGate({
      ...sites,
      findCommitAsOf: (head, time) => past.asOf(head, time),
      urlOf: (label, target) => targetUrlOf(address, label, target),
    }),
    pageFacts: (site, commit, treePath) => pageFactsAt(parts, site.id, commit, treePath),
    cacheBytes: Math.floor(config.limits.cacheBytes / config.workers),
    clock,
    logger,
  })
}
