// Decides whether a change request waits for the caller: for an approval, or for the changes that a reviewer asked for.

import type { ChangeRequest } from '../../catalog/requests/change-requests.js'
import { subjectOf } from '../../catalog/requests/comments.js'
import type { Site } from '../../catalog/site.js'
import { headIfReadable } from '../../repository/refs-here.js'
import type { Call } from '../context/call.js'
import { isAuthor } from '../protection/request-author.js'
import { whyNotApprove } from '../requests/may-approve.js'

type Asking = Pick<Call<'catalog' | 'store'>, 'catalog' | 'principal' | 'store'>

/** Under review, it waits for everybody but its author who may approve it and has not approved its head. As a draft, it may wait for its author. */
export function waitsFor(call: Asking, row: ChangeRequest, site: Site): boolean {
  const { catalog, principal } = call
  if (row.state === 'draft')
    return isAuthor(row, principal) && catalog.comments.openThreads(subjectOf({ request: row.id })).areChangesAsked
  if (row.state !== 'review' || isAuthor(row, principal)) return false
  if (whyNotApprove({ site, makers: catalog.requestMakers.list(row.id) }, principal) !== undefined) return false
  const own = catalog.approvals.list(row.id).filter(({ userId }) => userId === principal.person?.id)
  if (own.length === 0) return true
  const head = headIfReadable(call.store.repositories, { ...site, request: row.id })
  return own.every(({ commit }) => commit !== head)
}
