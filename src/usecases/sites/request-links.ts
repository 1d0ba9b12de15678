// Links to a change request, for people without a key: create, list, delete. Everybody who sees the request may. A link shows the request's
// head as it is then, and also ends when the request is closed or published.

import type { DeletedData } from '../../../schemas/common.js'
import type { LinkData, NewLinkData } from '../../../schemas/links.js'
import type { Call } from '../context/call.js'
import { findRequest, refuseClosed } from '../context/change-request.js'
import type { ResourceId, SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { endLink, type LinkParts, makeLink, noLink, sliceOfLinks } from './links.js'

/** Lists the links to the request that have not ended, the oldest first, without their secrets. Throws `change_request_not_found`. */
export async function listRequestLinks(
  asked: Call<'catalog' | 'clock'>,
  input: ResourceId & SliceInput,
): Promise<Result<LinkData[]>> {
  const { row, site } = findRequest(asked, input.id)
  return await sliceOfLinks({ ...asked, site }, input, ({ request }) => request === row.id)
}

/** Makes a link; only this answer holds its URL. Throws `change_request_not_found` and `change_request_closed`. */
export async function createRequestLink(
  asked: Call<LinkParts | 'store'>,
  input: ResourceId & { expiresIn?: number },
): Promise<Result<NewLinkData>> {
  const { row, site } = findRequest(asked, input.id)
  const call = { ...asked, site }
  return await call.idempotency.once(call, { site, input, isSecret: true }, async () => {
    refuseClosed(row)
    const data = await makeLink(call, {
      commit: call.store.reader.head(site),
      request: row.id,
      expiresIn: input.expiresIn,
    })
    const location = `/change-requests/${row.id}/links/${data.id}`
    return { result: { data, created: true, location }, committed: false }
  })
}

/** Deletes the link: its host answers 404 from the next request on. Throws `change_request_not_found` and `link_not_found`. */
export async function deleteRequestLink(
  asked: Call<'catalog'>,
  input: ResourceId & { linkId: string },
): Promise<Result<DeletedData>> {
  const { row, site } = findRequest(asked, input.id)
  const id = input.linkId.toLowerCase()
  if (asked.catalog.links.find(id)?.request !== row.id) throw noLink()
  return await endLink({ ...asked, site }, id)
}
