// Looks up pages by id, in the sites of the target workspace that the key may see, and by path.

import type { SiteIndex } from '../../index/site-index.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { PagePath } from '../../model/paths/page-path.js'
import type { KnownPage, KnownSidecar } from '../../repository/protocol/write.js'
import { pathOf } from './page-data.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { siteIdsInView, sitesInView, visibleSite } from '../context/target.js'

/** In a view of at most so many sites, each one is asked. */
const MAX_FEW_SITES = 16

export interface FoundPage {
  site: Site
  row: PageRow
  /** The state that a write refers to. */
  known: KnownPage
}

export interface Place {
  page: FoundPage | undefined
  sidecar: KnownSidecar
}

/**
 * Finds the page, published or not. In a view of many sites it asks only those that have the page by the index, and the others if none has.
 * If a push gives a second site the same id, the patrol tells the index. Throws `page_not_found`, `ambiguous_id`, and the error of a site
 * that cannot be read.
 */
export async function findPage(services: Services, context: RequestContext, pageId: string): Promise<FoundPage> {
  const id = pageId.toLowerCase()
  const { site } = context.target
  if (site !== undefined) return onlyOne(await findInEach(services, [site], id))
  const siteIds = siteIdsInView(services, context)
  if (siteIds.length > MAX_FEW_SITES) return onlyOne(await findInMany(services, context, siteIds, id))
  return onlyOne(await findInEach(services, visibleSites(services, context, siteIds), id))
}

function visibleSites(services: Services, context: RequestContext, siteIds: readonly string[]): Site[] {
  return siteIds.flatMap((siteId) => visibleSite(services, context, siteId) ?? [])
}

function onlyOne({ found, troubles }: Answers): FoundPage {
  const [page, other] = found
  if (other !== undefined) {
    const siteIds = found.map(({ site }) => site.id)
    throw new ServiceError(
      'ambiguous_id',
      'Several sites of this workspace have a page with this id: name the site in x-service-site-id.',
      { siteIds },
    )
  }
  // A site that the index cannot answer for may hold the page: its error is reported instead of "not found".
  const trouble =
    page === undefined ? [...troubles.values()].find(({ isIndexed }) => !isIndexed) : troubles.get(page.site.id)
  if (trouble !== undefined) throw trouble.error
  if (page === undefined) throw pageNotFound()
  return page
}

/** Finds the page at a path of one site, published or not. */
export async function findPageAt(services: Services, site: Site, path: PagePath): Promise<FoundPage | undefined> {
  return await services.indexFollower.read(site, (index, commit) => foundIn(site, commit, index.pages.findByPath(path)))
}

/** Finds the page with that id in one site, published or not. */
export async function findPageIn(services: Services, site: Site, id: string): Promise<FoundPage | undefined> {
  return await services.indexFollower.read(site, (index, commit) => foundIn(site, commit, index.pages.find(id)))
}

/** Finds the page and the sidecar at a path, before a page is published there. */
export async function findPlace(services: Services, site: Site, path: PagePath): Promise<Place> {
  return await services.indexFollower.read(site, (index, commit) => ({
    page: foundIn(site, commit, index.pages.findByPath(path)),
    sidecar: { id: index.pages.findSidecar(path), asOf: commit },
  }))
}

export function pageNotFound(): ServiceError {
  return new ServiceError('page_not_found', 'There is no page with this id: GET /pages lists the pages of a site.')
}

function foundIn(site: Site, asOf: string, row: PageRow | undefined): FoundPage | undefined {
  if (row === undefined) return undefined
  const { id, etag: lastChange, titleIsSet } = row
  return { site, row, known: { id, path: pathOf(row), lastChange, asOf, titleIsSet } }
}

/** The reason why a site could not answer. */
interface Trouble {
  error: ServiceError
  /** Whether the index answered as of an earlier commit. */
  isIndexed: boolean
}

interface Answers {
  found: FoundPage[]
  /** By site id. */
  troubles: Map<string, Trouble>
}

async function findInMany(
  services: Services,
  context: RequestContext,
  siteIds: readonly string[],
  id: string,
): Promise<Answers> {
  const { principal, target } = context
  const { indexFollower } = services
  const first = await indexFollower.sitesWith(siteIds, id)
  const indexed = await findInEach(services, visibleSites(services, context, first), id)
  if (indexed.found.length > 0) return indexed
  const view = `${target.workspace.id} ${principal.sites === null ? '' : principal.id}`
  const behind = await indexFollower.catchUpAll(view, () => sitesInView(services, context))
  // Another request may have caught up with a site since the first question.
  const now = await indexFollower.sitesWith(siteIdsInView(services, context), id)
  const ids = new Set([...behind.map((site) => site.id), ...now])
  return await findInEach(services, visibleSites(services, context, [...ids]), id)
}

/** Returns undefined if the index cannot answer. */
function askBehind<T>(services: Services, site: Site, ask: (index: SiteIndex) => T): T | undefined {
  try {
    return services.indexFollower.readBehind(site, ask)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

/** Asks each site and stops at the second page. One unreadable site must not hide the pages of the others. */
async function findInEach(services: Services, sites: readonly Site[], id: string): Promise<Answers> {
  const found: FoundPage[] = []
  const troubles = new Map<string, Trouble>()
  for (const site of sites) {
    let page: FoundPage | undefined
    try {
      page = await services.indexFollower.read(site, (index, commit) => foundIn(site, commit, index.pages.find(id)))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const earlier = findEarlier(services, site, id)
      // For a site that is behind, the index does not know what other machines have answered.
      troubles.set(site.id, { error, isIndexed: earlier !== undefined && !services.store.isBehind(site) })
      page = earlier?.page
    }
    if (page !== undefined) found.push(page)
    if (found.length === 2) break
  }
  return { found, troubles }
}

/** Returns the page as of the commit that the index has reached; undefined if the index cannot answer. */
function findEarlier(services: Services, site: Site, id: string): { page: FoundPage | undefined } | undefined {
  return askBehind(services, site, (index) => {
    const commit = index.indexedCommit
    return commit === undefined ? undefined : { page: foundIn(site, commit, index.pages.find(id)) }
  })
}
