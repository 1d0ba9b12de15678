// Change requests from the editor: proposes a text, publishes a draft, ends one, and makes a link to look at it.

import { api, type ChangeRequest, dataOf, type Page, type Site } from '../../../api/client.js'
import { publishChange } from '../publish-change.js'

/** Characters of the name of a change request. */
const MAX_NAME = 200
const LINK_SECONDS = 7 * 86_400

interface Text {
  html: string
  note: string
  etag: string
}

/** Saves the text in a new change request, which waits for approval. Returns its id. Throws an error for people. */
export async function propose(site: Site, page: Page, text: Text): Promise<string> {
  const outcome = await publishChange(site, page, { ...text, isOver: false, request: 'new' })
  if (outcome.is !== 'published' || outcome.request === undefined)
    throw new Error('Somebody else changed this page meanwhile. Copy your text, reload the page, and put it in again.')
  const title = text.note === '' ? `Change ${page.path}`.slice(0, MAX_NAME) : text.note
  await changeRequest(outcome.request, { state: 'review', title })
  return outcome.request
}

export async function readRequest(id: string, signal: AbortSignal | null): Promise<ChangeRequest> {
  return dataOf(await api.GET('/change-requests/{id}', { params: { path: { id } }, signal }))
}

interface RequestChange {
  state: 'draft' | 'review' | 'closed'
  title?: string
}

export async function changeRequest(id: string, body: RequestChange): Promise<ChangeRequest> {
  return dataOf(await api.PATCH('/change-requests/{id}', { params: { path: { id } }, body }))
}

/** Approves what is there now. */
export async function approve(id: string, head: string): Promise<void> {
  dataOf(await api.POST('/change-requests/{id}/approvals', { params: { path: { id } }, body: { commit: head } }))
}

export async function publishRequest(id: string, note: string): Promise<void> {
  const body = note === '' ? {} : { title: note }
  dataOf(await api.POST('/change-requests/{id}/publish', { params: { path: { id } }, body }))
}

/** Returns the URL of the page in the change request, for people without an account. */
export async function linkToRequest(id: string, page: Page): Promise<string> {
  const { url } = dataOf(
    await api.POST('/change-requests/{id}/links', { params: { path: { id } }, body: { expiresIn: LINK_SECONDS } }),
  )
  return url.replace(/\/$/, '') + new URL(page.url).pathname
}
