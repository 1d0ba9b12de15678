// Links to a site at a commit or to a change request, for people without a key: create, list, delete. A link ends when it expires, when it
// is deleted, and when its maker could no longer make it.

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
import { makerOf } from '../../model/principal.js'
import { previewSecretOf, reviewTokenOf } from '../access/review-secret.js'
import { findLink } from '../access/usable-link.js'
import type { Call, SiteCall } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { type LongList, readSlice } from '../context/slice.js'
import { findSite } from '../context/target.js'
import { maySee } from '../protection/request-author.js'

const DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60

export type LinkParts = 'baseUrl' | 'catalog' | 'clock' | 'idempotency' | 'newId' | 'siteDomain'

/** Lists the links of the site that have not ended, except those to change requests that the caller cannot see. */
export async function listLinks(
  asked: Call<'catalog' | 'clock'>,
  input: ResourceId & SliceInput,
): Promise<Result<LinkData[]>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const isSeen = ({ request }: SiteLink): boolean => {
    const row = request === undefined ? undefined : call.catalog.changeRequests.find(request)
    return request === undefined || (row !== undefined && maySee(row, call.principal, call.target.scopes))
  }
  return await sliceOfLinks(call, input, isSeen)
}

/** Lists those links of the site that have not ended and are wanted, the oldest first, without their secrets. */
export async function sliceOfLinks(
  call: SiteCall<'catalog' | 'clock'>,
  input: SliceInput,
  isWanted: (link: SiteLink) => boolean,
): Promise<Result<LinkData[]>> {
  const links: LongList<SiteLink> = {
    read: (after, count) => call.catalog.links.list(call.site.id, after, count),
    keyOf: ageOf,
    isWanted: (link) => isWanted(link) && findLink(call, link.id) !== undefined,
  }
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await readSlice('links', links, slice)
  return { data: rows.map(toLinkData), nextCursor }
}

/** Makes a link; only this answer holds its URL. Throws `version_not_found` for a commit that is not on main's first-parent history. */
export async function createLink(
  asked: Call<LinkParts | 'indexFollower'>,
  input: ResourceId & { commit: string; expiresIn?: number },
): Promise<Result<NewLinkData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  return await call.idempotency.once(call, { site, input, isSecret: true }, async () => {
    const [commit] = await call.indexFollower.read(site, (index) =>
      index.commits.findByPrefix(input.commit.toLowerCase()),
    )
    if (commit === undefined) {
      throw new ServiceError('version_not_found', 'There is no such commit: GET /sites/{id}/commits lists them.')
    }
    const data = await makeLink(call, { commit, expiresIn: input.expiresIn })
    return { result: { data, created: true, location: `/sites/${site.id}/links/${data.id}` }, committed: false }
  })
}

/** Stores a new link of the caller. */
export async function makeLink(
  call: SiteCall<LinkParts>,
  {
    expiresIn = DEFAULT_LIFETIME_SECONDS,
    ...shown
  }: Pick<SiteLink, 'commit' | 'request'> & { expiresIn?: number | undefined },
): Promise<NewLinkData> {
  const { site, principal } = call
  const now = toSeconds(call.clock())
  const reviewSecret = randomBytes(32).toString('base64url')
  const secret = previewSecretOf(reviewSecret)
  const end = toTimestamp(now + expiresIn)
  const link: SiteLink = {
    id: call.newId(),
    siteId: site.id,
    ...shown,
    hash: hashKey(secret),
    madeBy: makerOf(principal),
    author: principal.label,
    expiresAt: principal.expiresAt !== null && principal.expiresAt < end ? principal.expiresAt : end,
    createdAt: toTimestamp(now),
  }
  await call.catalog.links.create(link)
  const { commit, changeRequest } = toLinkData(link)
  const details = { site: site.id, commit, ...(changeRequest && { changeRequest }), expiresAt: link.expiresAt }
  await recordAudit(call, { action: 'link.create', target: `link ${link.id}`, details })
  const url = `${siteUrlOf(call, linkLabelOf(link.id))}/.open/${secret}/`
  const reviewUrl = `${call.baseUrl}/review#${reviewTokenOf(link.id, reviewSecret)}`
  return { ...toLinkData(link), url, ...(link.request !== undefined && { reviewUrl }) }
}

/** Deletes the link: its host answers 404 from the next request on. Throws `link_not_found`. */
export async function deleteLink(
  asked: Call<'catalog'>,
  input: ResourceId & { linkId: string },
): Promise<Result<DeletedData>> {
  return await endLink({ ...asked, site: findSite(asked, input.id) }, input.linkId.toLowerCase())
}

/** Deletes a link of the site. Throws `link_not_found`. */
export async function endLink(call: SiteCall<'catalog'>, id: string): Promise<Result<DeletedData>> {
  const { site } = call
  if (!(await call.catalog.links.delete(site.id, id))) throw noLink()
  await recordAudit(call, { action: 'link.delete', target: `link ${id}`, details: { site: site.id } })
  return { data: { id } }
}

export function noLink(): ServiceError {
  return new ServiceError('link_not_found', 'There is no such link: GET /sites/{id}/links lists the links of a site.')
}

function toLinkData({ id, siteId, commit, request, author, expiresAt, createdAt }: SiteLink): LinkData {
  const changeRequest = request !== undefined && { changeRequest: request }
  return { id, siteId, commit, ...changeRequest, author, expiresAt, createdAt }
}
