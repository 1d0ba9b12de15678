// Sites that are imported from a remote, next to live ones: begin, look, cancel.

import type { SiteData } from '../../../schemas/sites.js'
import { ageOf } from '../../catalog/row-age.js'
import type { SiteImport } from '../../catalog/remotes/site-imports.js'
import { ServiceError } from '../../model/errors.js'
import type { ImportWish } from '../provisioning/imports.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { type LongList, readSlice } from '../context/slice.js'
import { assertUnlimited, createSite, deleteSite, getSite, listSites, toSiteData } from './sites.js'

interface CreateInput {
  slug: string
  importUrl?: string
  importCredentials?: NonNullable<ImportWish['credentials']>
}

/** Creates a site, or begins to import one. Throws as `Imports.begin` does. */
export async function createOrImport(
  services: Services,
  context: RequestContext,
  input: CreateInput,
): Promise<Result<SiteData>> {
  const { slug, importUrl, importCredentials: credentials } = input
  if (importUrl === undefined) {
    if (credentials === undefined) return await createSite(services, context, { slug })
    throw new ServiceError('invalid_body', '"importCredentials" are for an import: send "importUrl" too.')
  }
  assertUnlimited(context)
  return await services.idempotency.once(context, { input }, async () => {
    const begun = await services.imports.begin(context.target.workspace.id, { slug, importUrl, credentials })
    const details = { slug: begun.slug, url: begun.url }
    await recordAudit(services, context, { action: 'site.import', target: `site ${begun.id}`, details })
    const data = await toImportData(services, context, begun)
    return { result: { data, accepted: true, location: `/sites/${begun.id}` }, committed: false }
  })
}

/** Lists the live sites, or the imports that are under way or failed. */
export async function listSitesOrImports(
  services: Services,
  context: RequestContext,
  { state, ...input }: SliceInput & { slug?: string; state?: 'live' | 'importing' },
): Promise<Result<SiteData[]>> {
  if (state !== 'importing') return await listSites(services, context, input)
  const { workspace } = context.target
  const imports: LongList<SiteImport> = {
    read: async (after, count) =>
      seesImports(context) ? services.imports.listUnfinished(workspace.id, after, count) : [],
    keyOf: ageOf,
    isWanted: ({ slug }) => input.slug === undefined || slug === input.slug,
  }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice('imports', imports, slice)
  return { data: await Promise.all(rows.map((row) => toImportData(services, context, row))), nextCursor }
}

/** Returns a site with its usage, and the state of its import. */
export async function getSiteOrImport(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<SiteData>> {
  const found = findImport(services, context, input.id)
  if (found === undefined) return await getSite(services, context, input)
  if (found.state !== 'done') return { data: await toImportData(services, context, found) }
  const { data } = await getSite(services, context, { id: found.siteId ?? input.id })
  return { data: { ...data, import: await importOf(services, found) } }
}

/** Deletes a site; or ends an import and frees its slug. */
export async function deleteOrCancel(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<ResourceId>> {
  const found = findImport(services, context, input.id)
  if (found === undefined) return await deleteSite(services, context, input)
  await services.imports.cancel(found)
  const details = { slug: found.slug }
  await recordAudit(services, context, { action: 'site.cancel-import', target: `site ${found.id}`, details })
  // The import may have become live meanwhile.
  const now = services.imports.find(found.workspaceId, found.id)
  if (now?.siteId == null) return { data: { id: found.id } }
  return await deleteSite(services, context, { id: now.siteId })
}

/** Whether the caller sees imports. Keys that are limited to sites see none: an import is no site yet. */
function seesImports({ principal }: RequestContext): boolean {
  return principal.sites === null
}

function findImport(services: Services, context: RequestContext, id: string): SiteImport | undefined {
  if (!seesImports(context)) return undefined
  return services.imports.find(context.target.workspace.id, id.toLowerCase())
}

async function toImportData(services: Services, context: RequestContext, site: SiteImport): Promise<SiteData> {
  const { id, workspaceId, slug, createdAt, state } = site
  const settings = { publicHistory: false, markdown: false, search: false, publicRepository: false, withdrawals: 0 }
  const data = toSiteData(services, context, { ...settings, id, workspaceId, slug, createdAt, state: 'creating' })
  return { ...data, state: state === 'failed' ? 'failed' : 'importing', import: await importOf(services, site) }
}

async function importOf({ imports }: Services, site: SiteImport): Promise<NonNullable<SiteData['import']>> {
  const { url, error, warnings, state } = site
  const progress = state === 'importing' ? await imports.progressOf(site.id) : undefined
  const phase = state === 'importing' ? (progress?.phase ?? 'checking') : state
  return {
    url,
    phase,
    receivedBytes: progress?.receivedBytes ?? 0,
    objects: progress?.objects ?? null,
    error,
    warnings: [...warnings],
  }
}
