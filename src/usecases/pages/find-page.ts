// Looks up pages by id, in the sites of the target workspace that the key may see, and by path.

import type { PageRow } from '../../catalog/index/tables/rows.js'
import type { Site } from '../../catalog/sites.js'
import { ServiceError } from '../../model/errors.js'
import type { PagePath } from '../../model/paths/page-path.js'
import type { KnownPage, KnownSidecar } from '../../store/protocol/write.js'
import { pathOf } from './page-data.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { sitesInView } from '../context/target.js'

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

/** The page, published or not. Throws `page_not_found`, `ambiguous_id`, and the error of a site that cannot be read. */
export async function findPage(services: Services, context: RequestContext, pageId: string): Promise<FoundPage> {
  const id = pageId.toLowerCase()
  const sites = await sitesInView(services, context)
  const { found, troubles } = await findInEach(services, sites, id)
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

/** The page at a path of one site, published or not. */
export async function findPageAt(services: Services, site: Site, path: PagePath): Promise<FoundPage | undefined> {
  return await services.indexFollower.read(site, (index, commit) =>
    foundIn(site, commit, index.pages.findByPath(site.id, path)),
  )
}

/** The page and the sidecar at a path, before a page is published there. */
export async function findPlace(services: Services, site: Site, path: PagePath): Promise<Place> {
  return await services.indexFollower.read(site, (index, commit) => ({
    page: foundIn(site, commit, index.pages.findByPath(site.id, path)),
    sidecar: { id: index.pages.findSidecar(site.id, path), asOf: commit },
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

/** Why a site could not be asked. */
interface Trouble {
  error: ServiceError
  /** Whether the index answered as of an earlier commit. */
  isIndexed: boolean
}

/** One site that cannot be read must not hide the pages of the others. */
async function findInEach(
  services: Services,
  sites: readonly Site[],
  id: string,
): Promise<{ found: FoundPage[]; troubles: Map<string, Trouble> }> {
  const found: FoundPage[] = []
  const troubles = new Map<string, Trouble>()
  for (const site of sites) {
    let page: FoundPage | undefined
    try {
      page = await services.indexFollower.read(site, (index, commit) =>
        foundIn(site, commit, index.pages.find(site.id, id)),
      )
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const earlier = findEarlier(services, site, id)
      troubles.set(site.id, { error, isIndexed: earlier !== undefined })
      page = earlier?.page
    }
    if (page !== undefined) found.push(page)
  }
  return { found, troubles }
}

/** The page as of the commit that the index has reached; undefined where the index cannot answer. */
function findEarlier(services: Services, site: Site, id: string): { page: FoundPage | undefined } | undefined {
  try {
    return services.indexFollower.readBehind((index) => {
      const commit = index.indexedCommit(site.id)
      return commit === undefined ? undefined : { page: foundIn(site, commit, index.pages.find(site.id, id)) }
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}
