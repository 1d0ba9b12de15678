// The sites of a workspace: list, create, read, make the default one, delete.

import type { SiteData } from '../../../schemas/sites.js'
import type { Site, SiteSettings } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { isTrouble, ServiceError } from '../../model/errors.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { cloneUrlOf, type PublicAddress, siteUrlOf } from '../../model/hosts/site-url.js'
import { makeCursor, readCursor } from '../context/slice.js'
import type { RequestContext } from '../context/request-context.js'
import { findSite } from '../context/target.js'

/** The parts that the operator's commands have without starting the service. */
type SiteServices = Pick<Services, 'catalog' | 'idempotency' | 'provisioner'> & PublicAddress

const LIST = 'sites'

/** Lists the sites that the key may see, ordered by slug. */
export async function listSites(
  services: SiteServices,
  context: RequestContext,
  input: SliceInput & { slug?: string },
): Promise<Result<SiteData[]>> {
  const { limit = DEFAULT_LIMIT, cursor, slug } = input
  const after = cursor === undefined ? undefined : readCursor(LIST, cursor)
  const only = context.principal.sites
  const found = await services.catalog.sites.list(context.target.workspace.id, { only, after, slug, limit: limit + 1 })
  const sites = found.slice(0, limit)
  const last = sites.at(-1)
  return {
    data: sites.map((site) => toSiteData(services, context, site)),
    nextCursor: found.length > limit && last !== undefined ? makeCursor(LIST, last.slug) : null,
  }
}

/** Creates a site, which is live when this resolves. Throws `invalid_slug`, `reserved_slug`, `slug_taken`. */
export async function createSite(
  services: SiteServices,
  context: RequestContext,
  input: { slug: string },
): Promise<Result<SiteData>> {
  assertUnlimited(context)
  const toResult = (site: Site): Result<SiteData> => {
    return { data: toSiteData(services, context, site), created: true, location: `/sites/${site.id}` }
  }
  // If the last step failed, the site is not live yet: a repeated request finishes it.
  const stillHolds = async ({ data }: Result<SiteData>) =>
    !(await services.catalog.sites.listCreating()).some(({ id }) => id === data.id)
  return await services.idempotency.once(context, { input, stillHolds }, async (_trailer, keep) => {
    const { workspace } = context.target
    const site = await services.provisioner.createSite(workspace.id, input.slug, (made) => keep(toResult(made)))
    await recordAudit(services, context, {
      action: 'site.create',
      target: `site ${site.id}`,
      details: { slug: site.slug },
    })
    return { result: toResult(site), committed: false }
  })
}

/** Returns one site, with its usage. */
export async function getSite(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<SiteData>> {
  const site = findSite(services, context, input.id)
  const pages = services.indexFollower.readBehind(site, (index) => index.pages.count())
  const head = services.store.commits.read(site, services.store.head(site))
  const lastChangeAt = toTimestamp(head.commit.committer.time)
  const storageBytes = await services.store.repositories.storageBytes(site)
  return { data: { ...toSiteData(services, context, site), usage: { pages, lastChangeAt, storageBytes } } }
}

/** Makes the site the default one, and switches its settings on and off. A slug never changes. */
export async function updateSite(
  services: SiteServices,
  context: RequestContext,
  input: ResourceId & { isDefault?: true } & Partial<SiteSettings>,
): Promise<Result<SiteData>> {
  const { id, isDefault, ...settings } = input
  const site = findSite(services, context, id)
  if (isDefault === true) {
    assertUnlimited(context)
    await services.catalog.workspaces.setDefaultSite(site.workspaceId, site.id)
  }
  if (Object.keys(settings).length > 0) await services.catalog.sites.configure(site.id, settings)
  const details = { slug: site.slug, ...settings, ...(isDefault && { isDefault }) }
  await recordAudit(services, context, { action: 'site.change', target: `site ${site.id}`, details })
  const data = toSiteData(services, context, { ...site, ...settings })
  return { data: isDefault === true ? { ...data, isDefault } : data }
}

/** Deletes the site at once; its repository is kept for the operator, and its slug is never used again. */
export async function deleteSite(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<ResourceId>> {
  const site = findSite(services, context, input.id)
  const { catalog, store, deploys, indexFollower, mirrors } = services
  if (catalog.workspaces.find(site.workspaceId)?.defaultSiteId === site.id) {
    throw new ServiceError('conflict', "This is the workspace's default site: make another site the default first.")
  }
  await catalog.sites.markDeleted(site.id)
  await mirrors.remove(site.id)
  await recordAudit(services, context, {
    action: 'site.delete',
    target: `site ${site.id}`,
    details: { slug: site.slug },
  })
  // The site is now gone for every caller. A failing disk from here on must not make the answer deny that: the next start moves the
  // repository aside, and rows of a deleted site appear in no answer.
  await store.retireSite(site).catch(passOverTrouble)
  try {
    await deploys.removeOf(site.id)
    await indexFollower.forget(site)
  } catch (error) {
    passOverTrouble(error)
  }
  return { data: { id: site.id } }
}

/** Throws the error again unless it is trouble of the service or its disk: the deletion itself is done. */
function passOverTrouble(error: unknown): void {
  if (!(error instanceof ServiceError) || !isTrouble(error.code)) throw error
}

/** Refuses a key limited to some sites, which must not change the workspace. Throws `insufficient_scope`. */
export function assertUnlimited({ principal }: RequestContext): void {
  if (principal.sites === null) return
  throw new ServiceError(
    'insufficient_scope',
    'This key is restricted to certain sites. Changing the workspace needs an unrestricted key.',
  )
}

export function toSiteData(services: PublicAddress, context: RequestContext, site: Site): SiteData {
  const { id, slug, workspaceId, publicHistory, markdown, search, publicRepository, createdAt } = site
  const isDefault = context.target.workspace.defaultSiteId === id
  const urls = { url: siteUrlOf(services, slug), cloneUrl: cloneUrlOf(services, slug) }
  const settings = { publicHistory, markdown, search, publicRepository }
  return { id, slug, workspaceId, ...urls, isDefault, ...settings, createdAt, state: 'live' }
}
