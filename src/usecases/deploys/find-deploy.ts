// Looks up deploys through the caller's workspace, and turns them into the `data` of an answer.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeployData } from '../../../schemas/deploys.js'
import type { Site } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { elsewhere } from '../../model/machine-prefix.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { allowsTreePath, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { type Deploy, sumsOf } from '../../repository/uploads/deploy.js'
import type { AtSite, Call, Finding } from '../context/call.js'
import { findSite } from '../context/target.js'

/** Blobs to ask the index for at once; others are served in between. */
const MAX_ASKED = 1_000

interface FoundDeploy {
  deploy: Deploy
  site: Site
}

/**
 * Finds a deploy for main, or for the change request that the call names. Throws `deploy_not_found`, also for a deploy of a site that the
 * caller does not see; `service_busy` if another machine has it.
 */
export function findDeploy(call: Call<'catalog' | 'deploys'>, id: string): FoundDeploy {
  const found = findAnywhere(call, id)
  if (found.deploy.request !== found.site.request) throw notFound()
  return found
}

/**
 * Finds a deploy to publish. Who may write to main may publish a deploy for main to a change request. A deploy that was published to a new
 * request is found there, so that a repeated call gets the first answer. Throws as `findDeploy` does.
 */
export function findDeployToPublish(
  call: Call<'catalog' | 'deploys'>,
  { id, changeRequest }: { id: string; changeRequest?: string },
): FoundDeploy {
  const { deploy, site } = findAnywhere(call, id)
  const { request, published } = deploy
  if (request === site.request) return { deploy, site }
  if (!holdsScope(call.target.scopes, 'write')) throw notFound()
  if (request === undefined && (published?.commit ?? null) === null) return { deploy, site }
  if (request === undefined || published === undefined || changeRequest !== 'new') throw notFound()
  return { deploy, site: { ...site, request } }
}

function findAnywhere(call: Call<'catalog' | 'deploys'>, id: string): FoundDeploy {
  const deploy = call.deploys.find(id.toLowerCase())
  if (deploy === undefined && call.deploys.isElsewhere(id)) throw elsewhere('deploy')
  const { workspace, site } = call.target
  const isSeen =
    deploy?.workspaceId === workspace.id && (site === undefined || site.id === deploy.siteId) && isInView(call, deploy)
  if (deploy === undefined || !isSeen) throw notFound()
  return { deploy, site: findSite(call, deploy.siteId) }
}

function notFound(): ServiceError {
  return new ServiceError(
    'deploy_not_found',
    'There is no such deploy, or it has expired: make a new one. A deploy for a change request needs its changeRequest.',
  )
}

/** Throws `path_not_allowed` with each name that the caller may not write to. */
export function refuseOutside({ principal: { paths } }: Call, { files }: Deploy): void {
  if (paths === undefined) return
  const refused = files.filter(([path]) => !allowsTreePath(paths, path)).map(([path]) => `/${path}`)
  if (refused.length > 0) throw pathsNotAllowed(refused, paths)
}

/** Whether the caller sees the deploy's site. */
export function isInView({ principal }: Call, { siteId }: Deploy): boolean {
  return principal.sites === null || principal.sites.includes(siteId)
}

/** The oids that were not in the history when it was first asked: a history grows, and an upload too many does no harm. */
const unknown = new WeakMap<Deploy, Promise<string[]>>()

/**
 * Returns the oids of the manifest that were neither uploaded nor are in the history of the site's main, each once. Withdrawn bytes count
 * as missing if they would be published again: only a client that has the bytes may do that.
 */
export async function missingOf(call: AtSite<Finding | 'deploys'>, deploy: Deploy): Promise<string[]> {
  const asked = unknown.get(deploy) ?? notInHistory(call, deploy)
  unknown.set(deploy, asked)
  asked.catch(() => unknown.delete(deploy))
  const received = call.deploys.received(deploy.id)
  const missing = new Set([...(await asked), ...withdrawnOf(call, deploy)])
  return [...missing].filter((oid) => !received.has(oid))
}

function withdrawnOf({ catalog, store, site }: AtSite<'catalog' | 'store'>, { files }: Deploy): string[] {
  const withdrawn = new Set(catalog.withdrawals.list(site.id))
  const named = withdrawn.size === 0 ? [] : files.filter(([, oid]) => withdrawn.has(oid))
  return named.flatMap(([path, oid]) => (store.reader.snapshot(site).entry(path)?.oid === oid ? [] : [oid]))
}

async function notInHistory(call: AtSite<'indexFollower'>, deploy: Deploy): Promise<string[]> {
  const asked = [...new Set(deploy.files.map(([, oid]) => oid))]
  const missing: string[] = []
  for (let at = 0; at < asked.length; at += MAX_ASKED) {
    const some = asked.slice(at, at + MAX_ASKED)
    missing.push(...(await call.indexFollower.read(call.site, (index) => index.files.lacking(some))))
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
