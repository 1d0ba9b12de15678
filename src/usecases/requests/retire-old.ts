// Ends change requests that nobody uses. One that nobody changed for 90 days is closed. One that was closed 90 days ago can no longer be
// reopened: its branch and its index are removed. The row stays, as a record.

import { type ChangeRequest, OPEN_STATES } from '../../catalog/requests/change-requests.js'
import { subjectOf } from '../../catalog/requests/comments.js'
import type { RequestsEnd } from '../../catalog/requests/request-lists.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { headIfReadable } from '../../repository/refs-here.js'
import type { Services } from '../context/services.js'
import { KEPT_DAYS, removeBranch } from './begin-request.js'

type Parts = Pick<Services, 'catalog' | 'clock' | 'indexFollower' | 'store'>

const DAY_SECONDS = 24 * 3600
/** Requests of one call: the others have their turn in the next. */
const AT_ONCE = 20

export class OldRequests {
  readonly #parts: Parts
  /** The last closed request that was looked at. The rows stay, so the next call goes on after it. */
  #after: RequestsEnd | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Does what is due. Call it again and again: most calls read two short lists. */
  async retire(): Promise<void> {
    const { changeRequests, requestLists } = this.#parts.catalog
    const since = toTimestamp(toSeconds(this.#parts.clock()) - KEPT_DAYS * DAY_SECONDS)
    for (const { id } of await requestLists.listUntouched(since, AT_ONCE))
      await changeRequests.setState(id, OPEN_STATES, 'closed')
    for (const { id, siteId, closedAt } of await requestLists.listClosed(since, AT_ONCE, this.#after)) {
      await this.#remove({ id, siteId })
      this.#after = { id, closedAt: closedAt ?? '' }
    }
  }

  /** The comments are of what is removed. They go first, so that a crash in between leaves the branch to tell. */
  async #remove({ id, siteId }: Pick<ChangeRequest, 'id' | 'siteId'>): Promise<void> {
    const [site] = this.#parts.catalog.sites.findByIdPrefix(siteId)
    // The repository of a deleted site was moved aside with all its branches.
    if (site === undefined) return
    const request = { ...site, request: id }
    if (headIfReadable(this.#parts.store.repositories, request) === undefined) return
    await this.#parts.catalog.comments.removeAll(subjectOf({ request: id }))
    await removeBranch({ ...this.#parts, site: request })
  }
}
