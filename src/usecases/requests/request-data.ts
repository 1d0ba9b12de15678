// Change requests as the API answers them.

import type { ChangeRequestData } from '../../../schemas/change-requests.js'
import { subjectOf } from '../../catalog/requests/comments.js'
import { ServiceError } from '../../model/errors.js'
import { toServiceError } from '../../repository/protocol/failure.js'
import type { SiteCall } from '../context/call.js'
import { findAllPublished, findPublished, type FoundRequest } from '../context/change-request.js'
import { isAuthor } from '../protection/request-author.js'

type Showing = SiteCall<'catalog' | 'indexFollower' | 'store'>

/** Shows requests of one site, in the given order. */
export async function toRequestsData(call: Showing, found: readonly FoundRequest[]): Promise<ChangeRequestData[]> {
  const published = await findAllPublished(
    call,
    call.site,
    found.map(({ row }) => row.id),
  )
  return found.map((request) => toData(call, request, published.get(request.row.id)))
}

export async function toRequestData(call: Showing, found: FoundRequest): Promise<ChangeRequestData> {
  return toData(call, found, await findPublished(call, found.row.id))
}

function toData(call: Showing, { row, site }: FoundRequest, published: string | undefined): ChangeRequestData {
  const { catalog, principal } = call
  const { id, siteId, number, title, author, pageId, createdAt, updatedAt, closedAt } = row
  const threads = catalog.comments.openThreads(subjectOf({ request: id }))
  return {
    id,
    siteId,
    number,
    title,
    state: published === undefined ? row.state : 'published',
    author,
    mine: isAuthor(row, principal),
    makers: catalog.requestMakers.list(id).map(({ label, userId }) => ({ label, userId })),
    page: pageId,
    head: headOf(call, site),
    approvals: catalog.approvals.list(id),
    openThreads: threads.count,
    changesAsked: row.state === 'draft' && threads.areChangesAsked,
    published: published ?? null,
    publishAt: row.publishAt,
    scheduledBy: row.scheduledLabel,
    scheduledHead: row.scheduledHead,
    heldAt: row.heldAt,
    heldCode: row.heldCode,
    heldReason: row.heldReason,
    createdAt,
    updatedAt,
    closedAt,
  }
}

/** Throws `conflict` once the branch of a closed request is removed, and `site_busy` on a node that may lack commits of it. */
export function refuseRemoved(call: Pick<Showing, 'store'>, site: FoundRequest['site']): void {
  if (headOf(call, site) === null)
    throw new ServiceError('conflict', 'Its changes were removed 90 days after it was closed: make another.')
}

/** Returns null for a request whose branch was removed. Throws `site_busy` on a node that may lack commits of it. */
export function headOf({ store }: Pick<Showing, 'store'>, site: FoundRequest['site']): string | null {
  store.reader.refused.refuse(site)
  try {
    return store.repositories.open(site).head() ?? null
  } catch (error) {
    throw toServiceError(error)
  }
}
