// Looks up deploys through the caller's workspace, and turns them into the `data` of an answer.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeployData } from '../../../schemas/deploys.js'
import type { Site } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { elsewhere } from '../../model/machine-prefix.js'
import { allowsTreePath, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { type Deploy, sumsOf } from '../../repository/uploads/deploy.js'
import type { RequestContext } from '../context/request-context.js'
import type { Services } from '../context/services.js'
import { findSite } from '../context/target.js'

/** Blobs to ask the index for at once; others are served in between. */
const MAX_ASKED = 1_000

/** Throws `deploy_not_found`, also for a deploy of a site that the caller does not see; `service_busy` if another machine has it. */
export function findDeploy(services: Services, context: RequestContext, id: string): { deploy: Deploy; site: Site } {
  const deploy = services.deploys.find(id.toLowerCase())
  if (deploy === undefined && services.deploys.isElsewhere(id)) throw elsewhere('deploy')
  const { workspace, site } = context.target
  const isSeen =
    deploy?.workspaceId === workspace.id &&
    (site === undefined || site.id === deploy.siteId) &&
    isInView(context, deploy)
  if (deploy === undefined || !isSeen)
    throw new ServiceError('deploy_not_found', 'There is no such deploy, or it has expired: make a new one.')
  return { deploy, site: findSite(services, context, deploy.siteId) }
}

/** Throws `path_not_allowed` with each name that the caller may not write to. */
export function refuseOutside({ principal: { paths } }: RequestContext, { files }: Deploy): void {
  if (paths === undefined) return
  const refused = files.filter(([path]) => !allowsTreePath(paths, path)).map(([path]) => `/${path}`)
  if (refused.length > 0) throw pathsNotAllowed(refused, paths)
}

/** Whether the caller sees the deploy's site. */
export function isInView({ principal }: RequestContext, { siteId }: Deploy): boolean {
  return principal.sites === null || principal.sites.includes(siteId)
}

/** The oids that were not in the history when it was first asked: a history grows, and an upload too many does no harm. */
const unknown = new WeakMap<Deploy, Promise<string[]>>()

/**
 * Returns the oids of the manifest that were neither uploaded nor are in the history of the site's main, each once. Withdrawn bytes count
 * as missing if they would be published again: only a client that has the bytes may do that.
 */
export async function missingOf(services: Services, site: Site, deploy: Deploy): Promise<string[]> {
  const asked = unknown.get(deploy) ?? notInHistory(services, site, deploy)
  unknown.set(deploy, asked)
  asked.catch(() => unknown.delete(deploy))
  const received = services.deploys.received(deploy.id)
  const missing = new Set([...(await asked), ...withdrawnOf(services, site, deploy)])
  return [...missing].filter((oid) => !received.has(oid))
}

function withdrawnOf({ catalog, store }: Services, site: Site, { files }: Deploy): string[] {
  const withdrawn = new Set(catalog.withdrawals.list(site.id))
  const named = withdrawn.size === 0 ? [] : files.filter(([, oid]) => withdrawn.has(oid))
  return named.flatMap(([path, oid]) => (store.snapshot(site).entry(path)?.oid === oid ? [] : [oid]))
}

async function notInHistory(services: Services, site: Site, deploy: Deploy): Promise<string[]> {
  const asked = [...new Set(deploy.files.map(([, oid]) => oid))]
  const missing: string[] = []
  for (let at = 0; at < asked.length; at += MAX_ASKED) {
    const some = asked.slice(at, at + MAX_ASKED)
    missing.push(...(await services.indexFollower.read(site, (index) => index.files.lacking(some))))
    await nextTurn()
  }
  return missing
}

export function toDeployData(deploy: Deploy): DeployData {
  const { id, siteId, mode, message, ifHead, published } = deploy
  return {
    id,
    siteId,
    state: published === undefined ? 'open' : 'published',
    mode,
    message,
    ifHead,
    ...sumsOf(deploy),
    commit: published?.commit ?? null,
    createdAt: toTimestamp(deploy.createdAt),
    expiresAt: toTimestamp(deploy.expiresAt),
  }
}
