// Refuses a new site, a push and an import that would pass a quota. The writer refuses all other writes.

import { isBeyond, type QuotaLimits, quotasOf, refuseBeyond, refuseUse } from '../../admission/quotas.js'
import type { Catalog } from '../../catalog/catalog.js'
import { readRef } from '../../git/repository/ref.js'
import { measureObjects } from '../../repository/disk/stored-bytes.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { HistoryGrowth } from '../../repository/pushing/measure-growth.js'
import type { Tasks } from '../../tasks/tasks.js'
import type { WorkspaceUsage } from './workspace-usage.js'

interface Parts {
  usage: WorkspaceUsage
  longTasks: Tasks
}

/** Throws `site_quota_exceeded` if the workspace may not have another site. */
export function refuseAnotherSite(
  { catalog, limits }: { catalog: Pick<Catalog, 'workspaces'>; limits: QuotaLimits },
  workspaceId: string,
): void {
  const workspace = catalog.workspaces.find(workspaceId)
  const quota = workspace === undefined ? null : quotasOf(limits, workspace.quotas).sites
  if (quota !== null) refuseUse('sites', { used: catalog.workspaces.countSites(workspaceId), quota }, 1)
}

/** Throws `page_quota_exceeded` and `byte_quota_exceeded` for a push that brings so many bytes. `span` is undefined if main stays. */
export async function refusePushBeyond(
  { usage, longTasks }: Parts,
  workspaceId: string,
  storedBytes: number,
  span: HistoryGrowth | undefined,
): Promise<void> {
  const quotaUse = await usage.quotaUseOf(workspaceId, storedBytes)
  if (quotaUse === undefined) return
  const isMeasured =
    quotaUse.pages !== undefined || (quotaUse.bytes !== undefined && isBeyond(quotaUse.bytes, storedBytes))
  const growth =
    isMeasured && span !== undefined ? await longTasks.run('measureGrowth', span, { workspaceId }) : undefined
  refuseBeyond(quotaUse, {
    storedBytes,
    addedPages: () => growth?.pages ?? 0,
    addedBytes: () => growth?.bytes ?? 0,
  })
}

/** Does the same for a repository that is imported, before it becomes a site. */
export async function refuseImportBeyond(parts: Parts, workspaceId: string, gitdir: string): Promise<void> {
  const main = readRef(gitdir, MAIN)
  const bytes = await measureObjects(gitdir)
  const span = main === undefined ? undefined : { gitdir, before: null, after: main, packs: [] }
  await refusePushBeyond(parts, workspaceId, bytes, span)
}
