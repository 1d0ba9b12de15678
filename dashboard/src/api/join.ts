// Invitations as their holder sees them. They need no session, and are not part of the API.

import { type Member, Refusal } from './client.js'

export interface InvitationView {
  workspace: string
  role: Member['role']
  /** Null: all. */
  sites: string[] | null
  invitedBy: string
  email: string | null
  expiresAt: string
}

/** Throws `Refusal` if the invitation is used, expired or taken back. */
export async function peekInvitation(token: string): Promise<InvitationView> {
  const response = await post('/session/invitation', { token })
  return ((await response.json()) as { data: InvitationView }).data
}

/** Becomes a member. A person who is signed in needs no name. */
export async function acceptInvitation(token: string, name?: string): Promise<void> {
  await post('/session/invitation/accept', { token, ...(name !== undefined && { name }) })
}

async function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Refusal(response, await response.json().catch(() => undefined))
  return response
}
