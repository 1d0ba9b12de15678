// Writes comments on a change request, and resolves their threads.

import type { DataOf } from '../../../../../src/protocols/client/client.js'
import { api, dataOf } from '../../../api/client.js'

export type Comment = DataOf<'/change-requests/{id}/comments', 'get'>[number]

interface NewComment {
  text: string
  /** A page or a file; without it, the whole change. */
  path?: string
  quote?: { exact: string }
  /** The head that the person looked at. */
  commit?: string
  /** The first comment of the thread that it answers. */
  inReplyTo?: string
  /** Gives a request under review back to its author. */
  asksForChanges?: boolean
}

export async function writeComment(request: string, body: NewComment): Promise<Comment> {
  return dataOf(await api.POST('/change-requests/{id}/comments', { params: { path: { id: request } }, body }))
}

export async function resolveThread(id: string, resolved: boolean): Promise<Comment> {
  return dataOf(await api.PATCH('/comments/{id}', { params: { path: { id } }, body: { resolved } }))
}

/** Only its author changes the text. */
export async function changeText(id: string, text: string): Promise<Comment> {
  return dataOf(await api.PATCH('/comments/{id}', { params: { path: { id } }, body: { text } }))
}
