// Loads what a review shows, all at once: the request, what it changes, its conflicts with main, and the problems of the site with it.

import { askAhead, takeAhead } from '../../api/ahead.js'
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
import { askForMarks } from '../../parts/seen/load-marks.js'

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

/** Returns the paths of the pages and files whose changes are shown. Their comments are shown beside them. */
export function shownPaths({ changes }: Review): ReadonlySet<string> {
  return new Set(changes.map(({ page, path }) => page?.path ?? path))
}

export function useReview(site: Site, id: string): Loaded<Review> {
  return useLoaded<Review>(keyOf(id), (signal) => openReview(site, id, signal))
}

/** Asks before the site is read. `siteId`: its id, where this browser remembers it. */
export function askForReview(id: string, siteId: string | null): void {
  askAhead(keyOf(id), () => readChanged(id, null))
  if (siteId !== null) askAhead(checksKey(siteId, id), () => readChecks(siteId, id, null))
  askForMarks()
}

async function openReview(site: Site, id: string, signal: AbortSignal): Promise<Review> {
  const [changed, checks] = await Promise.all([
    takeAhead(keyOf(id), () => readChanged(id, signal)),
    takeAhead(checksKey(site.id, id), () => readChecks(site.id, id, signal)).catch(() => undefined),
  ])
  return { ...changed, checks }
}

async function readChanged(id: string, signal: AbortSignal | null): Promise<Omit<Review, 'checks'>> {
  const path = { id }
  const [request, changes, conflicts] = await Promise.all([
    readRequest(id, signal),
    api
      .GET('/change-requests/{id}/changes', { params: { path, query: { limit: MAX_CHANGES, html: true } }, signal })
      .then(sliceOf<RequestChange>)
      .catch(() => ({ entries: [], nextCursor: null })),
    api
      .GET('/change-requests/{id}/conflicts', { params: { path }, signal })
      .then(sliceOf<BranchConflict>)
      .then(({ entries }) => entries)
      .catch(() => []),
  ])
  return { request, changes: changes.entries, hasMore: changes.nextCursor !== null, conflicts }
}

async function readChecks(siteId: string, id: string, signal: AbortSignal | null): Promise<Checks> {
  const params = { path: { id: siteId }, query: { changeRequest: id } }
  return dataOf(await api.GET('/sites/{id}/checks', { params, signal }))
}

function keyOf(id: string): string {
  return `review ${id}`
}

function checksKey(siteId: string, id: string): string {
  return `checks of ${siteId} with ${id}`
}
