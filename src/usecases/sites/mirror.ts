// The mirror of a site: set, read, retry, remove.

import type { MirrorData } from '../../../schemas/mirrors.js'
import type { Mirror } from '../../catalog/remotes/mirrors.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { parseRemoteUrl } from '../../git/remotes/remote-url.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import type { AtSite, Call, Finding, Reading } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'

/** Sets the mirror, and replaces a former one. Throws `invalid_remote`, and `conflict` if the service can keep no credentials. */
export async function setMirror(
  asked: Call<Finding | 'mirrors'>,
  input: ResourceId & { url: string; credentials?: RemoteCredentials },
): Promise<Result<MirrorData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  const mirror = await call.mirrors.set(site.id, parseRemoteUrl(input.url), input.credentials)
  const details = { url: mirror.url, hasCredentials: mirror.sealedCredentials !== null }
  await recordAudit(call, { action: 'mirror.set', target: `site ${site.id}`, details })
  return { data: await toMirrorData(call, mirror) }
}

export async function getMirror(asked: Call<Finding>, input: ResourceId): Promise<Result<MirrorData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  return { data: await toMirrorData(call, call.catalog.mirrors.find(call.site.id)) }
}

/** Retries at once, also if the mirror stopped because the remote has commits of its own. */
export async function retryMirror(asked: Call<Finding | 'mirrors'>, input: ResourceId): Promise<Result<MirrorData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const mirror = call.catalog.mirrors.find(call.site.id)
  if (mirror === undefined) throw noMirror()
  return { data: await toMirrorData(call, await call.mirrors.retry(mirror)) }
}

/** Removes the mirror; the remote stays as it is. */
export async function deleteMirror(asked: Call<'catalog' | 'mirrors'>, input: ResourceId): Promise<Result<ResourceId>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  if (!(await call.mirrors.remove(site.id))) throw noMirror()
  await recordAudit(call, { action: 'mirror.remove', target: `site ${site.id}` })
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

async function toMirrorData(call: AtSite<Reading>, mirror: Mirror | undefined): Promise<MirrorData> {
  if (mirror === undefined) return NO_MIRROR
  const { url, sealedCredentials, remoteOid, error, okAt, nextTryAt } = mirror
  const head = call.store.reader.head(call.site)
  return {
    url,
    hasCredentials: sealedCredentials !== null,
    state: mirror.state === 'ok' && remoteOid !== head ? 'behind' : mirror.state,
    lag: remoteOid === null ? null : await lagOf(call, remoteOid, head),
    error,
    lastSuccessAt: okAt,
    nextTryAt: mirror.state === 'failed' ? toTimestamp(Math.ceil(nextTryAt / 1000)) : null,
  }
}

/** Counts the commits of main's first-parent history after `there`; null if the history lacks that. */
async function lagOf(
  { indexFollower, site }: AtSite<'indexFollower'>,
  there: string,
  head: string,
): Promise<number | null> {
  return await indexFollower.read(site, ({ commits }) => {
    const [from, to] = [commits.positionOf(there), commits.positionOf(head)]
    return from === undefined || to === undefined ? null : to - from
  })
}
