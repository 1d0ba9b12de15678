// The sites of a workspace: list, create, read, make the default one, delete.

import type { SiteData } from '../../../schemas/sites.js'
import type { Site, SiteSettings } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { isTrouble, ServiceError } from '../../model/errors.js'
import { measureObjects } from '../../repository/disk/stored-bytes.js'
import type { Call, Finding, SiteCall } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { cloneUrlOf, siteUrlOf } from '../../model/hosts/site-url.js'
import { makeCursor, readCursor } from '../context/slice.js'
import { findSite } from '../context/target.js'
import { forbiddenRole, isOwner } from '../people/roles.js'

const LIST = 'sites'

/** Lists the sites that the key may see, ordered by slug. */
export async function listSites(
  call: Call<'baseUrl' | 'catalog' | 'siteDomain'>,
  input: SliceInput & { slug?: string },
): Promise<Result<SiteData[]>> {
  const { limit = DEFAULT_LIMIT, cursor, slug } = input
  const after = cursor === undefined ? undefined : readCursor(LIST, cursor)
  const only = call.principal.sites
  const found = await call.catalog.sites.list(call.target.workspace.id, { only, after, slug, limit: limit + 1 })
  const sites = found.slice(0, limit)
  const last = sites.at(-1)
  return {
    data: sites.map((site) => toSiteData({ ...call, site })),
    nextCursor: found.length > limit && last !== undefined ? makeCursor(LIST, last.slug) : null,
  }
}

/** Creates a site, which is live when this resolves. Throws `invalid_slug`, `reserved_slug`, `slug_taken`. */
export async function createSite(
  call: Call<'baseUrl' | 'catalog' | 'idempotency' | 'provisioner' | 'siteDomain'>,
  input: { slug: string; name?: string },
): Promise<Result<SiteData>> {
  assertUnlimited(call)
  const toResult = (site: Site): Result<SiteData> => {
    return { data: toSiteData({ ...call, site }), created: true, location: `/sites/${site.id}` }
  }
  // If the last step failed, the site is not live yet: a repeated request finishes it.
  const stillHolds = async ({ data }: Result<SiteData>) =>
    !(await call.catalog.sites.listCreating()).some(({ id }) => id === data.id)
  return await call.idempotency.once(call, { input, stillHolds }, async (_trailer, keep) => {
    const { workspace } = call.target
    const site = await call.provisioner.createSite(workspace.id, input.slug, {
      name: input.name,
      beforeLive: (made) => keep(toResult(made)),
    })
    await recordAudit(call, {
      action: 'site.create',
      target: `site ${site.id}`,
      details: { slug: site.slug, ...(site.name !== null && { name: site.name }) },
    })
    return { result: toResult(site), committed: false }
  })
}

/** Returns one site, with its usage. */
export async function getSite(
  asked: Call<Finding | 'baseUrl' | 'siteDomain'>,
  input: ResourceId,
): Promise<Result<SiteData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  const pages = call.indexFollower.readBehind(site, (index) => index.pages.count())
  const head = call.store.commits.read(site, call.store.reader.head(site))
  const lastChangeAt = toTimestamp(head.commit.committer.time)
  const storageBytes = await measureObjects(call.store.repositories.gitdir(site))
  return { data: { ...toSiteData(call), usage: { pages, lastChangeAt, storageBytes } } }
}

/** Makes the site the default one, and changes its name and settings. A slug never changes. */
export async function updateSite(
  asked: Call<'baseUrl' | 'catalog' | 'siteDomain'>,
  input: ResourceId & { isDefault?: true } & Partial<SiteSettings>,
): Promise<Result<SiteData>> {
  const { id, isDefault, ...settings } = input
  const call = { ...asked, site: findSite(asked, id) }
  const { site } = call
  if (isDefault === true) {
    assertUnlimited(call)
    await call.catalog.workspaces.setDefaultSite(site.workspaceId, site.id)
  }
  if (Object.keys(settings).length > 0) await call.catalog.sites.configure(site.id, settings)
  const details = { slug: site.slug, ...settings, ...(isDefault && { isDefault }) }
  await recordAudit(call, { action: 'site.change', target: `site ${site.id}`, details })
  const data = toSiteData({ ...call, site: { ...site, ...settings } })
  return { data: isDefault === true ? { ...data, isDefault } : data }
}

/** Deletes the site at once; its repository is kept for the operator, and its slug is never used again. */
export async function deleteSite(
  asked: Call<Finding | 'deploys' | 'mirrors'>,
  input: ResourceId,
): Promise<Result<ResourceId>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site, catalog, store, deploys, indexFollower, mirrors } = call
  // A key that may not change the site may not take it away either.
  if (site.protection !== 'none' && !isOwner(call.principal)) throw forbiddenRole()
  if (catalog.workspaces.find(site.workspaceId)?.defaultSiteId === site.id) {
    throw new ServiceError('conflict', "This is the workspace's default site: make another site the default first.")
  }
  await catalog.sites.markDeleted(site.id)
  await mirrors.remove(site.id)
  await recordAudit(call, {
    action: 'site.delete',
    target: `site ${site.id}`,
    details: { slug: site.slug },
  })
  // The site is now gone for every caller. A failing disk from here on must not make the answer deny that. The next start moves the
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
export function assertUnlimited({ principal }: Call): void {
  if (principal.sites === null) return
  throw new ServiceError(
    'insufficient_scope',
    'This key is restricted to certain sites. Changing the workspace needs an unrestricted key.',
  )
}

export function toSiteData(call: SiteCall<'baseUrl' | 'siteDomain'>): SiteData {
  const { id, slug, name, workspaceId, protection, createdAt } = call.site
  const { publicHistory, markdown, search, publicRepository, guestComments } = call.site
  const isDefault = call.target.workspace.defaultSiteId === id
  const urls = { url: siteUrlOf(call, slug), cloneUrl: cloneUrlOf(call, slug) }
  const settings = { publicHistory, markdown, search, publicRepository, guestComments }
  return { id, slug, name, workspaceId, ...urls, isDefault, ...settings, protection, createdAt, state: 'live' }
}
