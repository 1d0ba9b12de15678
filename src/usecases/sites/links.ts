// Links to a site at a commit, for people without a key: create, list, delete. A link ends when it expires, when it is deleted, and
// when its maker could no longer make it.

import { randomBytes } from 'node:crypto'
import type { DeletedData } from '../../../schemas/common.js'
import type { LinkData, NewLinkData } from '../../../schemas/links.js'
import { ageOf } from '../../catalog/row-age.js'
import type { SiteLink } from '../../catalog/links.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { linkLabelOf } from '../../model/hosts/version-label.js'
import { hashKey } from '../../model/key-format.js'
import { makerOf } from '../access/maker.js'
import { findLink } from '../access/usable-link.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { type LongList, readSlice } from '../context/slice.js'
import { findSite } from '../context/target.js'

const DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60

/** Lists the site's links that have not ended, the oldest first, without their secrets. */
export async function listLinks(
  services: Services,
  context: RequestContext,
  input: ResourceId & SliceInput,
): Promise<Result<LinkData[]>> {
  const { catalog } = services
  const site = findSite(services, context, input.id)
  const links: LongList<SiteLink> = {
    read: (after, count) => catalog.links.list(site.id, after, count),
    keyOf: ageOf,
    isWanted: ({ id }) => findLink(services, id) !== undefined,
  }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice('links', links, slice)
  return { data: rows.map(toLinkData), nextCursor }
}

/** Makes a link; only this answer holds its URL. Throws `version_not_found` for a commit that is not on main's first-parent history. */
export async function createLink(
  services: Services,
  context: RequestContext,
  input: ResourceId & { commit: string; expiresIn?: number },
): Promise<Result<NewLinkData>> {
  const site = findSite(services, context, input.id)
  const { principal } = context
  return await services.idempotency.once(context, { site, input, isSecret: true }, async () => {
    const [commit] = await services.indexFollower.read(site, (index) =>
      index.commits.findByPrefix(input.commit.toLowerCase()),
    )
    if (commit === undefined) {
      throw new ServiceError('version_not_found', 'There is no such commit: GET /sites/{id}/commits lists them.')
    }
    const now = toSeconds(services.clock())
    const secret = randomBytes(32).toString('base64url')
    const end = toTimestamp(now + (input.expiresIn ?? DEFAULT_LIFETIME_SECONDS))
    const link: SiteLink = {
      id: services.newId(),
      siteId: site.id,
      commit,
      hash: hashKey(secret),
      madeBy: makerOf(principal),
      author: principal.label,
      expiresAt: principal.expiresAt !== null && principal.expiresAt < end ? principal.expiresAt : end,
      createdAt: toTimestamp(now),
    }
    await services.catalog.links.create(link)
    const details = { site: site.id, commit, expiresAt: link.expiresAt }
    await recordAudit(services, context, { action: 'link.create', target: `link ${link.id}`, details })
    const url = `${siteUrlOf(services, linkLabelOf(link.id))}/.open/${secret}/`
    const location = `/sites/${site.id}/links/${link.id}`
    return { result: { data: { ...toLinkData(link), url }, created: true, location }, committed: false }
  })
}

/** Deletes the link: its host answers 404 from the next request on. Throws `link_not_found`. */
export async function deleteLink(
  services: Services,
  context: RequestContext,
  input: ResourceId & { linkId: string },
): Promise<Result<DeletedData>> {
  const id = input.linkId.toLowerCase()
  const site = findSite(services, context, input.id)
  if (!(await services.catalog.links.delete(site.id, id)))
    throw new ServiceError('link_not_found', 'There is no such link: GET /sites/{id}/links lists the links of a site.')
  await recordAudit(services, context, { action: 'link.delete', target: `link ${id}`, details: { site: site.id } })
  return { data: { id } }
}

function toLinkData({ id, siteId, commit, author, expiresAt, createdAt }: SiteLink): LinkData {
  return { id, siteId, commit, author, expiresAt, createdAt }
}
