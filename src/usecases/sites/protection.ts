// The protection of a site: read and set. Only owners who are signed in may do either.

import type { ProtectionData } from '../../../schemas/protection.js'
import type { Site, SiteProtection } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { AtSite, Call, SiteCall } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'
import { personOfSession } from '../people/account.js'
import { couldApprove } from '../requests/may-approve.js'

type ProtectionInput = ResourceId &
  Pick<SiteProtection, 'protection'> &
  Partial<Pick<SiteProtection, 'approvers'>> & { exceptedKeys?: readonly string[] }

export async function getProtection(asked: Call<'catalog'>, input: ResourceId): Promise<Result<ProtectionData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  personOfSession(call)
  return { data: await toProtectionData(call) }
}

/**
 * Sets the protection; what is left out stays as it is. Throws `person_required`, `borrowed_session`, `key_not_found`, and `conflict` for
 * `all` while fewer than two people could approve.
 */
export async function setProtection(asked: Call<'catalog'>, input: ProtectionInput): Promise<Result<ProtectionData>> {
  const { catalog } = asked
  const before = findSite(asked, input.id)
  personOfSession(asked)
  const { protection, approvers = before.approvers } = input
  const site: Site = { ...before, protection, approvers }
  const call = { ...asked, site }
  const exceptedKeys =
    input.exceptedKeys === undefined
      ? catalog.protectionExceptions.list(site.id)
      : await keysOf(call, input.exceptedKeys)
  if (protection === 'all') await refuseTooFew(call)
  await catalog.sites.protect(site.id, { protection, approvers }, exceptedKeys)
  const details = { slug: site.slug, before: before.protection, protection, approvers, exceptedKeys }
  await recordAudit(call, { action: 'protection.set', target: `site ${site.id}`, details })
  return { data: await toProtectionData(call) }
}

/** Returns the ids, each once. Throws `key_not_found` for an id of no key of the workspace. */
async function keysOf({ catalog, site }: SiteCall<'catalog'>, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const id of new Set(ids.map((one) => one.toLowerCase()))) {
    const key = await catalog.keys.find(site.workspaceId, id)
    if (key === undefined || key.revokedAt !== null)
      throw new ServiceError('key_not_found', `There is no key ${id}: GET /keys lists the keys of this workspace.`)
    found.push(id)
  }
  return found
}

async function refuseTooFew({ catalog, site }: AtSite<'catalog'>): Promise<void> {
  const people = couldApprove(site, await catalog.members.list(site.workspaceId))
  if (people.length >= 2) return
  throw new ServiceError(
    'conflict',
    `Under "all" another person approves, and fewer than two people could: give a second person the role ${site.approvers} first, or choose "agents".`,
  )
}

async function toProtectionData({ catalog, site }: AtSite<'catalog'>): Promise<ProtectionData> {
  const { id, protection, approvers, workspaceId } = site
  const labelOf = async (keyId: string) => (await catalog.keys.find(workspaceId, keyId))?.label ?? null
  const exceptedKeys = await Promise.all(
    catalog.protectionExceptions.list(id).map(async (keyId) => ({ id: keyId, label: await labelOf(keyId) })),
  )
  const people = couldApprove(site, await catalog.members.list(workspaceId))
  return { siteId: id, protection, approvers, exceptedKeys, couldApprove: people.length }
}
