// Looks up pages by id, in the sites of the target workspace that the key may see, and by path.

import type { SiteIndex } from '../../index/site-index.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { PagePath } from '../../model/paths/page-path.js'
import type { KnownPage, KnownSidecar } from '../../repository/protocol/write.js'
import { pathOf } from './page-data.js'
import type { AtSite, Call, Finding } from '../context/call.js'
import type { Services } from '../context/services.js'
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
export async function findPage(call: Call<Finding>, pageId: string): Promise<FoundPage> {
  const id = pageId.toLowerCase()
  const { site } = call.target
  if (site !== undefined) {
    const answers = await findInEach(call, [site], id)
    if (site.request !== undefined && answers.found.length === 0) await refuseOfOtherSite(call, site, id)
    return onlyOne(answers)
  }
  const siteIds = siteIdsInView(call)
  if (siteIds.length > MAX_FEW_SITES) return onlyOne(await findInMany(call, siteIds, id))
  return onlyOne(await findInEach(call, visibleSites(call, siteIds), id))
}

/** Throws `site_mismatch` if another site than the change request's has the page. */
async function refuseOfOtherSite(call: Call<Finding>, { id: own }: Site, id: string): Promise<void> {
  const others = siteIdsInView(call).filter((siteId) => siteId !== own)
  const [other] = await call.indexFollower.sitesWith(others, id)
  if (other !== undefined) visibleSite(call, other)
}

function visibleSites(call: Call<'catalog'>, siteIds: readonly string[]): Site[] {
  return siteIds.flatMap((siteId) => visibleSite(call, siteId) ?? [])
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
export async function findPageAt(call: AtSite<'indexFollower'>, path: PagePath): Promise<FoundPage | undefined> {
  const { site } = call
  return await call.indexFollower.read(site, (index, commit) => foundIn(site, commit, index.pages.findByPath(path)))
}

/** Finds the page with that id in one site, published or not. */
export async function findPageIn(call: AtSite<'indexFollower'>, id: string): Promise<FoundPage | undefined> {
  const { site } = call
  return await call.indexFollower.read(site, (index, commit) => foundIn(site, commit, index.pages.find(id)))
}

/** Finds the page and the sidecar at a path, before a page is published there. */
export async function findPlace(call: AtSite<'indexFollower'>, path: PagePath): Promise<Place> {
  const { site } = call
  return await call.indexFollower.read(site, (index, commit) => ({
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

async function findInMany(call: Call<Finding>, siteIds: readonly string[], id: string): Promise<Answers> {
  const { principal, target, indexFollower } = call
  const first = await indexFollower.sitesWith(siteIds, id)
  const indexed = await findInEach(call, visibleSites(call, first), id)
  if (indexed.found.length > 0) return indexed
  const view = `${target.workspace.id} ${principal.sites === null ? '' : principal.id}`
  const behind = await indexFollower.catchUpAll(view, () => sitesInView(call))
  // Another request may have caught up with a site since the first question.
  const now = await indexFollower.sitesWith(siteIdsInView(call), id)
  const ids = new Set([...behind.map((site) => site.id), ...now])
  return await findInEach(call, visibleSites(call, [...ids]), id)
}

/** Returns undefined if the index cannot answer. */
function askBehind<T>(call: AtSite<'indexFollower'>, ask: (index: SiteIndex) => T): T | undefined {
  try {
    return call.indexFollower.readBehind(call.site, ask)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

/** Asks each site and stops at the second page. One unreadable site must not hide the pages of the others. */
async function findInEach(
  services: Pick<Services, 'indexFollower' | 'store'>,
  sites: readonly Site[],
  id: string,
): Promise<Answers> {
  const found: FoundPage[] = []
  const troubles = new Map<string, Trouble>()
  for (const site of sites) {
    let page: FoundPage | undefined
    try {
      page = await services.indexFollower.read(site, (index, commit) => foundIn(site, commit, index.pages.find(id)))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const earlier = findEarlier({ ...services, site }, id)
      // For a site that is behind, the index does not know what other machines have answered.
      troubles.set(site.id, {
        error,
        isIndexed: earlier !== undefined && !services.store.reader.refused.isBehind(site),
      })
      page = earlier?.page
    }
    if (page !== undefined) found.push(page)
    if (found.length === 2) break
  }
  return { found, troubles }
}

/** Returns the page as of the commit that the index has reached; undefined if the index cannot answer. */
function findEarlier(call: AtSite<'indexFollower'>, id: string): { page: FoundPage | undefined } | undefined {
  return askBehind(call, (index) => {
    const commit = index.indexedCommit
    return commit === undefined ? undefined : { page: foundIn(call.site, commit, index.pages.find(id)) }
  })
}
