// The change request that a call reads and writes in place of main. It is seen by its author, and by everybody who may write to the site.
// To anybody else it does not exist.

import { type ChangeRequest, OPEN_STATES } from '../../catalog/requests/change-requests.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import { requestClosed } from '../../repository/protocol/published-requests.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { makersOf, maySee } from '../protection/request-author.js'
import type { Call, SiteCall } from './call.js'
import type { Services } from './services.js'
import { visibleSite } from './target.js'

/** A change request, and its site, which the request stands in for. */
export interface FoundRequest {
  row: ChangeRequest
  site: Site & { request: string }
}

type Asking = Pick<Call<'catalog'>, 'catalog' | 'principal' | 'target'>

/** Finds a change request of any state. Throws `change_request_not_found`. */
export function findRequest(call: Asking, id: string): FoundRequest {
  const row = call.catalog.changeRequests.find(id.toLowerCase())
  const site = row && visibleSite(call, row.siteId)
  if (row === undefined || site === undefined || !maySee(row, call.principal, call.target.scopes)) throw notFound()
  return { row, site: { ...site, request: row.id } }
}

/** Returns the commits on main that published requests of the site, by their ids. The history of main alone says so. */
export async function findAllPublished(
  { indexFollower }: Pick<Services, 'indexFollower'>,
  site: SiteRef,
  requests: readonly string[],
): Promise<Map<string, string | undefined>> {
  return await indexFollower.read(
    mainOf(site),
    ({ commits }) => new Map(requests.map((id) => [id, commits.findByChangeRequest(id)])),
  )
}

/** Returns the commit on main that published the request of the call's site; undefined for one that is not. */
export async function findPublished(
  call: Pick<SiteCall<'indexFollower'>, 'indexFollower' | 'site'>,
  request: string,
): Promise<string | undefined> {
  return (await findAllPublished(call, call.site, [request])).get(request)
}

export function isOpen({ state }: Pick<ChangeRequest, 'state'>): boolean {
  return (OPEN_STATES as readonly string[]).includes(state)
}

/** Throws `change_request_closed` unless the request is open. */
export function refuseClosed({ state, number }: ChangeRequest): void {
  if (!isOpen({ state })) throw requestClosed(number)
}

/**
 * Asks again, just before a write, and notes who writes. A crash may leave the row of a published request open, so main is asked too. Throws
 * `change_request_not_found` and `change_request_closed`.
 */
export async function enterRequest(
  call: Asking & Pick<SiteCall<'indexFollower'>, 'indexFollower' | 'site'>,
  request: string,
): Promise<void> {
  const { row } = findRequest(call, request)
  refuseClosed(row)
  if ((await findPublished(call, row.id)) !== undefined) throw requestClosed(row.number)
  const { principal, catalog } = call
  for (const maker of makersOf(principal)) await catalog.requestMakers.note(row.id, maker)
  await catalog.changeRequests.touch(row)
}

function notFound(): ServiceError {
  return new ServiceError(
    'change_request_not_found',
    'There is no such change request: GET /sites/{id}/change-requests lists those that this key can see.',
  )
}
