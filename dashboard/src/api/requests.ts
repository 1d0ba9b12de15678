// Change requests: reads one, lists the drafts of a page, and changes, approves, updates and publishes one, now or at a time.

import { api, type ChangeRequest, dataOf, type Site, sliceOf } from './client.js'

/** More open drafts of one page than anybody looks at. */
const MAX_DRAFTS = 20

export async function readRequest(id: string, signal: AbortSignal | null = null): Promise<ChangeRequest> {
  return dataOf(await api.GET('/change-requests/{id}', { params: { path: { id } }, signal }))
}

/** Lists the open drafts of a page that the person may see, the newest first. */
export async function listDrafts(
  { id }: Pick<Site, 'id'>,
  page: string,
  signal: AbortSignal | null = null,
): Promise<readonly ChangeRequest[]> {
  const params = { path: { id }, query: { page, limit: MAX_DRAFTS } }
  return sliceOf<ChangeRequest>(await api.GET('/sites/{id}/change-requests', { params, signal })).entries
}

interface RequestChange {
  state: 'draft' | 'review' | 'closed'
  /** Without words, the title stays. */
  title?: string
}

export async function changeRequest(id: string, { state, title = '' }: RequestChange): Promise<ChangeRequest> {
  const body = { state, ...(title !== '' && { title }) }
  return dataOf(await api.PATCH('/change-requests/{id}', { params: { path: { id } }, body }))
}

/** Approves one commit. */
export async function approve(id: string, commit: string): Promise<ChangeRequest> {
  return dataOf(await api.POST('/change-requests/{id}/approvals', { params: { path: { id } }, body: { commit } }))
}

interface Publishing {
  title?: string
  /** The head that the person looked at. */
  ifHead?: string
}

export async function publishRequest(id: string, { title = '', ifHead }: Publishing): Promise<string | null> {
  const body = { ...(title !== '' && { title }), ...(ifHead !== undefined && { ifHead }) }
  return dataOf(await api.POST('/change-requests/{id}/publish', { params: { path: { id } }, body })).commit
}

/** Sets the time at which it is published: an instant, as RFC 3339. It replaces another. */
export async function scheduleRequest(id: string, at: string, { title = '', ifHead }: Publishing): Promise<void> {
  const body = { at, ...(title !== '' && { title }), ...(ifHead !== undefined && { ifHead }) }
  dataOf(await api.POST('/change-requests/{id}/publish', { params: { path: { id } }, body }))
}

export async function cancelSchedule(id: string): Promise<void> {
  dataOf(await api.DELETE('/change-requests/{id}/schedule', { params: { path: { id } } }))
}

/** Merges main into it. In `ours` its own version of a path is kept, in `theirs` that of main is taken. */
export async function updateRequest(id: string, chosen: { ours?: string[]; theirs?: string[] }) {
  return dataOf(await api.POST('/change-requests/{id}/update', { params: { path: { id } }, body: chosen }))
}
