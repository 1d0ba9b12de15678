// Loads what a review shows, all at once: the request, what it changes, its conflicts with main, and the problems of the site with it.

import {
  api,
  type BranchConflict,
  type ChangeRequest,
  type Checks,
  dataOf,
  type RequestChange,
  type Site,
  sliceOf,
} from '../../api/client.js'
import { readRequest } from '../../api/requests.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

export interface Review {
  request: ChangeRequest
  changes: readonly RequestChange[]
  hasMore: boolean
  conflicts: readonly BranchConflict[]
  /** Undefined where they cannot be had. */
  checks: Checks | undefined
}

/** Changed files that are shown. */
const MAX_CHANGES = 200

export function useReview(site: Site, id: string): Loaded<Review> {
  return useLoaded<Review>(`review ${id}`, (signal) => readReview(site, id, signal))
}

async function readReview(site: Site, id: string, signal: AbortSignal): Promise<Review> {
  const path = { id }
  const [request, changes, conflicts, checks] = await Promise.all([
    readRequest(id, signal),
    api
      .GET('/change-requests/{id}/changes', { params: { path, query: { limit: MAX_CHANGES } }, signal })
      .then(sliceOf<RequestChange>)
      .catch(() => ({ entries: [], nextCursor: null })),
    api
      .GET('/change-requests/{id}/conflicts', { params: { path }, signal })
      .then(sliceOf<BranchConflict>)
      .then(({ entries }) => entries)
      .catch(() => []),
    api
      .GET('/sites/{id}/checks', { params: { path: { id: site.id }, query: { changeRequest: id } }, signal })
      .then(dataOf<Checks>)
      .catch(() => undefined),
  ])
  return { request, changes: changes.entries, hasMore: changes.nextCursor !== null, conflicts, checks }
}
