// Change requests: make, list, show, rename, close and open again.

import type { ChangeRequestData } from '../../../schemas/change-requests.js'
import { type ChangeRequest, OPEN_STATES, type RequestState } from '../../catalog/requests/change-requests.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { recordAudit } from '../context/audit.js'
import type { Call, SiteCall } from '../context/call.js'
import { findPublished, findRequest, type FoundRequest } from '../context/change-request.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { firstOf, readNumber } from '../context/slice.js'
import { findSite } from '../context/target.js'
import { asAuthor, maySee } from '../protection/request-author.js'
import { beginRequest, type RequestParts } from './begin-request.js'
import { refuseTooMany } from './refuse-too-many.js'
import { refuseRemoved, toRequestData, toRequestsData } from './request-data.js'

const LIST = 'change-requests'
type Parts = RequestParts | 'idempotency'

/** Makes an empty request. */
export async function createRequest(
  asked: Call<Parts>,
  input: ResourceId & { title?: string; state?: (typeof OPEN_STATES)[number] },
): Promise<Result<ChangeRequestData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  return await call.idempotency.once(call, { site: call.site, input }, async () => {
    const row = await beginRequest(call, { ...input, isForWrite: false })
    const data = await toRequestData(call, foundOf(call.site, row))
    return { result: { data, created: true, location: `/change-requests/${row.id}` }, committed: false }
  })
}

/** Lists the requests of a site that the caller may see, the newest first. */
export async function listRequests(
  asked: Call<Parts>,
  input: ResourceId & SliceInput & { state?: string; author?: 'me'; page?: string; number?: number },
): Promise<Result<ChangeRequestData[]>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { limit = DEFAULT_LIMIT, cursor, number } = input
  const before = cursor === undefined ? undefined : readNumber(LIST, cursor)
  const isOwn = input.author === 'me' || !holdsScope(call.target.scopes, 'write')
  const author = isOwn ? asAuthor(call.principal) : undefined
  const states = statesOf(input.state)
  const pageId = input.page?.toLowerCase()
  const page = {
    limit: limit + 1,
    before,
    ...(states && { states }),
    ...(author && { author }),
    ...(pageId !== undefined && { pageId }),
  }
  const rows =
    number === undefined ? await call.catalog.changeRequests.list(call.site.id, page) : byNumber(call, number)
  const { rows: shown, nextCursor } = firstOf(LIST, rows, (row) => `${row.number}`, limit)
  return {
    data: await toRequestsData(
      call,
      shown.map((row) => foundOf(call.site, row)),
    ),
    nextCursor,
  }
}

export async function getRequest(asked: Call<Parts>, { id }: ResourceId): Promise<Result<ChangeRequestData>> {
  const found = findRequest(asked, id)
  return { data: await toRequestData({ ...asked, site: found.site }, found) }
}

/** Renames the request, or changes its state. Throws `conflict` for one that is published, and `too_many_change_requests`. */
export async function changeRequest(
  asked: Call<Parts>,
  input: ResourceId & { title?: string; state?: RequestState },
): Promise<Result<ChangeRequestData>> {
  const found = findRequest(asked, input.id)
  const { row } = found
  const call = { ...asked, site: found.site }
  if ((await findPublished(call, row.id)) !== undefined)
    throw new ServiceError('conflict', `Change request ${row.number} is published: make another for more changes.`)
  if (input.title !== undefined) await call.catalog.changeRequests.rename(row.id, input.title)
  if (input.state !== undefined && input.state !== row.state) await setState(call, found, input.state)
  return await getRequest(asked, { id: row.id })
}

async function setState(call: Call<Parts>, { row, site }: FoundRequest, state: RequestState): Promise<void> {
  if (row.state === 'closed') refuseRemoved(call, site)
  if (!(await storeState(call, row, state)))
    throw new ServiceError('conflict', 'Somebody changed its state meanwhile: read it again.', { retry: true })
  const details = { site: site.id, before: row.state, state }
  await recordAudit(call, { action: 'change-request.state', target: `change-request ${row.id}`, details })
}

/** Returns false if it has another state by now. Throws `too_many_change_requests`. */
async function storeState({ catalog }: Call<Parts>, row: ChangeRequest, state: RequestState): Promise<boolean> {
  const { changeRequests } = catalog
  if (row.state !== 'closed' || state === 'closed') return await changeRequests.setState(row.id, [row.state], state)
  if (await changeRequests.reopen(row, state)) return true
  await refuseTooMany(catalog, row)
  return false
}

/** Returns no request if the caller may not see it. */
function byNumber({ catalog, principal, site, target }: SiteCall<Parts>, number: number): ChangeRequest[] {
  const row = catalog.changeRequests.findByNumber(site.id, number)
  return row !== undefined && maySee(row, principal, target.scopes) ? [row] : []
}

function foundOf(site: Site, row: ChangeRequest): FoundRequest {
  return { row, site: { ...site, request: row.id } }
}

/** Returns the states of rows that a filter names; undefined for all. */
export function statesOf(state = 'open'): readonly RequestState[] | undefined {
  if (state === 'open') return OPEN_STATES
  return state === 'all' ? undefined : [state as RequestState]
}
