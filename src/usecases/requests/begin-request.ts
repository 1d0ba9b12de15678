// Makes a change request: its row, its rows in an index of its own, and its branch, which forks from main.

import type { ChangeRequest, NewChangeRequest } from '../../catalog/requests/change-requests.js'
import type { Site } from '../../catalog/site.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import type { SiteCall } from '../context/call.js'
import { madeByOf } from '../protection/request-author.js'
import { refuseTooMany } from './refuse-too-many.js'

/** Days without a change after which a request is closed, and days for which it can then be reopened. */
export const KEPT_DAYS = 90
const DAY_SECONDS = 24 * 3600
/** How long a request waits for the write that it is made for. One that a crash left empty is closed then. */
const AWAITED_SECONDS = 10 * 60

interface NewRequest {
  /** Whether it is made for a write that follows at once. Until then it counts as one that nobody has changed for long. */
  isForWrite: boolean
  title?: string | undefined
  state?: NewChangeRequest['state'] | undefined
  /** The page that it is the draft of: then it is refused with `conflict` if the author has made another one meanwhile. */
  pageId?: string | undefined
  fork?: string | undefined
}

export type RequestParts = 'catalog' | 'clock' | 'indexFollower' | 'newId' | 'store'

/**
 * `fork` is a commit of main's first-parent history; by default the newest. Throws `too_many_change_requests`, `site_unreadable`, `site_busy`
 * and the errors of the disk: then there is no request.
 */
export async function beginRequest(
  call: Pick<SiteCall<RequestParts>, RequestParts | 'principal' | 'site'>,
  { isForWrite, title, state, pageId, fork }: NewRequest,
): Promise<ChangeRequest> {
  const { catalog, clock, principal, site } = call
  const begun = { siteId: site.id, ...madeByOf(principal) }
  await refuseTooMany(catalog, begun)
  const id = call.newId()
  const request: Site = { ...site, request: id }
  try {
    const newest = await call.indexFollower.fork(request)
    // Rows of another commit do not lead to the branch: they are read from git.
    if (fork !== undefined && fork !== newest) await call.indexFollower.forget(request)
    await call.store.writers.beginRequest(request, fork ?? newest, toSeconds(clock()))
    const made = await catalog.changeRequests.createWithinLimits({
      ...begun,
      id,
      title: title ?? `Changes by ${principal.label}`,
      state: state ?? 'draft',
      author: principal.label,
      pageId,
      ...(isForWrite && { updatedAt: closedSoon(clock()) }),
    })
    if (made !== undefined) return made
    await refuseTooMany(catalog, begun)
    throw overtaken()
  } catch (error) {
    await dropBranch({ ...call, site: request })
    throw error
  }
}

/** Returns the time of a last change with which it is closed in ten minutes (retire-old.ts). */
function closedSoon(now: Date): string {
  return toTimestamp(toSeconds(now) - KEPT_DAYS * DAY_SECONDS + AWAITED_SECONDS)
}

/** Another request was opened in the last free place, and closed since. */
function overtaken(): ServiceError {
  return new ServiceError('conflict', 'Others opened and closed change requests meanwhile. Try again.', { retry: true })
}

type Branch = Pick<SiteCall<RequestParts>, 'indexFollower' | 'store'> & { site: SiteRef }

/** Removes the branch of a request, and its rows in the index. */
export async function removeBranch({ indexFollower, store, site }: Branch): Promise<void> {
  await store.endRequest(site)
  await indexFollower.forget(site)
}

/** Removes a branch that nothing was written to. Never throws: one that stays is removed later (interrupted.ts). */
export async function dropBranch(branch: Branch): Promise<void> {
  await removeBranch(branch).catch(() => undefined)
}
