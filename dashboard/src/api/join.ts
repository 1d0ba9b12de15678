// Invitations as their holder sees them. They need no session.

import { api, dataOf, type InvitationView } from './client.js'

/** Throws `Refusal` if the invitation is used, expired or taken back. */
export async function peekInvitation(token: string): Promise<InvitationView> {
  return dataOf(await api.POST('/session/invitation', { body: { token } }))
}

/** Becomes a member. A person who is signed in needs no name. */
export async function acceptInvitation(token: string, name?: string): Promise<void> {
  dataOf(await api.POST('/session/invitation/accept', { body: { token, ...(name !== undefined && { name }) } }))
}
