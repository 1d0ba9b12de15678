// The requests of a guest. Only the words of the review link go with them, in the body: no session and no key.

import { createClient, type DataOf, dataOf } from '../../../../src/protocols/client/client.js'
import { overConnection } from '../../api/connection.js'

export type GuestReview = DataOf<'/guest/review', 'post'>
export type GuestComment = GuestReview['comments'][number]

export interface NewComment {
  name: string
  text: string
  /** The first comment of the thread that it answers. */
  inReplyTo?: string
  /** Left out: the whole change. */
  path?: string
  /** The commit that the guest looked at. */
  commit: string
}

const client = createClient({
  baseUrl: '',
  fetch: (request) => overConnection(fetch(request, { credentials: 'omit' })),
  retries: 0,
})

/** Throws `Refusal` if the link ended. */
export async function readGuestReview(token: string, signal: AbortSignal): Promise<GuestReview> {
  return dataOf(await client.POST('/guest/review', { body: { token }, signal }))
}

export async function writeGuestComment(token: string, comment: NewComment): Promise<GuestComment> {
  return dataOf(await client.POST('/guest/comments', { body: { token, ...comment } }))
}
