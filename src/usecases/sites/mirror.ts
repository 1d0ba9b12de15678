// The mirror of a site: set, read, retry, remove.

import type { MirrorData } from '../../../schemas/mirrors.js'
import type { Mirror } from '../../catalog/remotes/mirrors.js'
import type { Site } from '../../catalog/site.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { parseRemoteUrl } from '../../git/remotes/remote-url.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { findSite } from '../context/target.js'

/** Sets the mirror, and replaces a former one. Throws `invalid_remote`, and `conflict` if the service can keep no credentials. */
export async function setMirror(
  services: Services,
  context: RequestContext,
  input: ResourceId & { url: string; credentials?: RemoteCredentials },
): Promise<Result<MirrorData>> {
  const site = findSite(services, context, input.id)
  const mirror = await services.mirrors.set(site.id, parseRemoteUrl(input.url), input.credentials)
  const details = { url: mirror.url, hasCredentials: mirror.sealedCredentials !== null }
  await recordAudit(services, context, { action: 'mirror.set', target: `site ${site.id}`, details })
  return { data: await toMirrorData(services, site, mirror) }
}

export async function getMirror(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<MirrorData>> {
  const site = findSite(services, context, input.id)
  return { data: await toMirrorData(services, site, services.catalog.mirrors.find(site.id)) }
}

/** Retries at once, also if the mirror stopped because the remote has commits of its own. */
export async function retryMirror(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<MirrorData>> {
  const site = findSite(services, context, input.id)
  const mirror = services.catalog.mirrors.find(site.id)
  if (mirror === undefined) throw noMirror()
  return { data: await toMirrorData(services, site, await services.mirrors.retry(mirror)) }
}

/** Removes the mirror; the remote stays as it is. */
export async function deleteMirror(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<ResourceId>> {
  const site = findSite(services, context, input.id)
  if (!(await services.mirrors.remove(site.id))) throw noMirror()
  await recordAudit(services, context, { action: 'mirror.remove', target: `site ${site.id}` })
  return { data: { id: site.id } }
}

function noMirror(): ServiceError {
  return new ServiceError('mirror_not_found', 'The site has no mirror: PUT /sites/{id}/mirror sets one.')
}

const NO_MIRROR: MirrorData = {
  url: null,
  hasCredentials: false,
  state: 'off',
  lag: null,
  error: null,
  lastSuccessAt: null,
  nextTryAt: null,
}

async function toMirrorData(services: Services, site: Site, mirror: Mirror | undefined): Promise<MirrorData> {
  if (mirror === undefined) return NO_MIRROR
  const { url, sealedCredentials, remoteOid, error, okAt, nextTryAt } = mirror
  const head = services.store.head(site)
  return {
    url,
    hasCredentials: sealedCredentials !== null,
    state: mirror.state === 'ok' && remoteOid !== head ? 'behind' : mirror.state,
    lag: remoteOid === null ? null : await lagOf(services, site, remoteOid, head),
    error,
    lastSuccessAt: okAt,
    nextTryAt: mirror.state === 'failed' ? toTimestamp(Math.ceil(nextTryAt / 1000)) : null,
  }
}

/** Counts the commits of main's first-parent history after `there`; null if the history lacks that. */
async function lagOf({ indexFollower }: Services, site: Site, there: string, head: string): Promise<number | null> {
  return await indexFollower.read(site, ({ commits }) => {
    const [from, to] = [commits.positionOf(there), commits.positionOf(head)]
    return from === undefined || to === undefined ? null : to - from
  })
}
