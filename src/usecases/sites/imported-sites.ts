// Sites that are imported from a remote, next to live ones: begin, look, cancel.

import type { SiteData } from '../../../schemas/sites.js'
import { ageOf } from '../../catalog/row-age.js'
import type { SiteImport } from '../../catalog/remotes/site-imports.js'
import { ServiceError } from '../../model/errors.js'
import type { ImportWish } from '../provisioning/imports.js'
import type { Call, Finding } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { type LongList, readSlice } from '../context/slice.js'
import { assertUnlimited, createSite, deleteSite, getSite, listSites, toSiteData } from './sites.js'

interface CreateInput {
  slug: string
  name?: string
  importUrl?: string
  importCredentials?: NonNullable<ImportWish['credentials']>
}

/** Creates a site, or begins to import one. Throws as `Imports.begin` does. */
export async function createOrImport(
  call: Call<'baseUrl' | 'catalog' | 'idempotency' | 'imports' | 'provisioner' | 'siteDomain'>,
  input: CreateInput,
): Promise<Result<SiteData>> {
  const { importUrl, importCredentials: credentials, ...named } = input
  if (importUrl === undefined) {
    if (credentials === undefined) return await createSite(call, named)
    throw new ServiceError('invalid_body', '"importCredentials" are for an import: send "importUrl" too.')
  }
  assertUnlimited(call)
  return await call.idempotency.once(call, { input }, async () => {
    const begun = await call.imports.begin(call.target.workspace.id, { ...named, importUrl, credentials })
    const details = { slug: begun.slug, url: begun.url }
    await recordAudit(call, { action: 'site.import', target: `site ${begun.id}`, details })
    const data = await toImportData(call, begun)
    return { result: { data, accepted: true, location: `/sites/${begun.id}` }, committed: false }
  })
}

/** Lists the live sites, or the imports that are under way or failed. */
export async function listSitesOrImports(
  call: Call<'baseUrl' | 'catalog' | 'imports' | 'siteDomain'>,
  { state, ...input }: SliceInput & { slug?: string; state?: 'live' | 'importing' },
): Promise<Result<SiteData[]>> {
  if (state !== 'importing') return await listSites(call, input)
  const { workspace } = call.target
  const imports: LongList<SiteImport> = {
    read: async (after, count) => (seesImports(call) ? call.imports.listUnfinished(workspace.id, after, count) : []),
    keyOf: ageOf,
    isWanted: ({ slug }) => input.slug === undefined || slug === input.slug,
  }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice('imports', imports, slice)
  return { data: await Promise.all(rows.map((row) => toImportData(call, row))), nextCursor }
}

/** Returns a site with its usage, and the state of its import. */
export async function getSiteOrImport(
  call: Call<Finding | 'baseUrl' | 'imports' | 'siteDomain'>,
  input: ResourceId,
): Promise<Result<SiteData>> {
  const found = findImport(call, input.id)
  if (found === undefined) return await getSite(call, input)
  if (found.state !== 'done') return { data: await toImportData(call, found) }
  const { data } = await getSite(call, { id: found.siteId ?? input.id })
  return { data: { ...data, import: await importOf(call, found) } }
}

/** Deletes a site; or ends an import and frees its slug. */
export async function deleteOrCancel(
  call: Call<Finding | 'deploys' | 'imports' | 'mirrors'>,
  input: ResourceId,
): Promise<Result<ResourceId>> {
  const found = findImport(call, input.id)
  if (found === undefined) return await deleteSite(call, input)
  await call.imports.cancel(found)
  const details = { slug: found.slug }
  await recordAudit(call, { action: 'site.cancel-import', target: `site ${found.id}`, details })
  // The import may have become live meanwhile.
  const now = call.imports.find(found.workspaceId, found.id)
  if (now?.siteId == null) return { data: { id: found.id } }
  return await deleteSite(call, { id: now.siteId })
}

/** Whether the caller sees imports. Keys that are limited to sites see none: an import is no site yet. */
function seesImports({ principal }: Call): boolean {
  return principal.sites === null
}

function findImport(call: Call<'imports'>, id: string): SiteImport | undefined {
  if (!seesImports(call)) return undefined
  return call.imports.find(call.target.workspace.id, id.toLowerCase())
}

async function toImportData(
  call: Call<'baseUrl' | 'catalog' | 'imports' | 'siteDomain'>,
  site: SiteImport,
): Promise<SiteData> {
  const { id, workspaceId, slug, createdAt, state } = site
  // The site itself knows its name while it is being made.
  const { name = null } = call.catalog.sites.findOfAnyState(id) ?? {}
  const settings = {
    publicHistory: false,
    markdown: false,
    search: false,
    publicRepository: false,
    guestComments: false,
    withdrawals: 0,
  }
  const rights = { protection: 'none', approvers: 'editor' } as const
  const coming = { ...settings, name, ...rights, id, workspaceId, slug, createdAt, state: 'creating' } as const
  const data = toSiteData({ ...call, site: coming })
  return { ...data, state: state === 'failed' ? 'failed' : 'importing', import: await importOf(call, site) }
}

async function importOf(
  { imports }: Pick<Services, 'imports'>,
  site: SiteImport,
): Promise<NonNullable<SiteData['import']>> {
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
