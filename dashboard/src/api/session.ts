// The session of this browser: begun with the token of a sign-in link, ended by signing out. It is no part of the API.

import { Refusal } from './client.js'

/** Begins a session. Throws `Refusal` where the token is used, expired or unknown. */
export async function signIn(token: string): Promise<void> {
  await request('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
}

/** Ends this session, or every session of the workspace. */
export async function signOut(isEverywhere: boolean): Promise<void> {
  await request(isEverywhere ? '/session?everywhere=true' : '/session', { method: 'DELETE' })
}

async function request(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Refusal(response, await response.json().catch(() => undefined))
}
