// The use of a workspace's quotas, in all and by site.

import type { SiteUsageData, UsageData } from '../../../schemas/usage.js'
import type { Call } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { makeCursor, readCursor } from '../context/slice.js'

const LIST = 'usage'

/** Returns what the whole workspace uses, also to a key that sees only some sites. */
export async function getUsage({ catalog, usage, target }: Call<'catalog' | 'usage'>): Promise<Result<UsageData>> {
  const { workspace } = target
  const quotas = usage.quotasOf(workspace)
  const { bytes, pages } = await usage.of(workspace.id)
  return {
    data: {
      bytes: { used: bytes, quota: quotas.bytes },
      pages: { used: pages, quota: quotas.pages },
      sites: { used: catalog.workspaces.countSites(workspace.id), quota: quotas.sites },
    },
  }
}

/** Lists the sites that the key may see, by slug, with the figures of each. */
export async function listSiteUsage(
  { catalog, usage, principal, target }: Call<'catalog' | 'usage'>,
  { limit = DEFAULT_LIMIT, cursor }: SliceInput,
): Promise<Result<SiteUsageData[]>> {
  const after = cursor === undefined ? undefined : readCursor(LIST, cursor)
  const found = await catalog.sites.list(target.workspace.id, { only: principal.sites, after, limit: limit + 1 })
  const sites = found.slice(0, limit)
  const last = sites.at(-1)
  const data: SiteUsageData[] = []
  for (const site of sites) {
    const { pages, bytes } = await usage.sizes.of(site)
    data.push({ siteId: site.id, slug: site.slug, pages, bytes })
  }
  return { data, nextCursor: found.length > limit && last !== undefined ? makeCursor(LIST, last.slug) : null }
}
