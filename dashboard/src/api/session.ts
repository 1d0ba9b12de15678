// The session of this browser: it begins with the token of a sign-in link, and ends by signing out. It is not part of the API.

import { api, dataOf, type Me, Refusal } from './client.js'

/** Begins a session. Throws `Refusal` if the token is used, expired or unknown. */
export async function signIn(token: string): Promise<void> {
  await request('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
}

/** Returns the key and workspace of the session; undefined without a session. */
export async function readSession(): Promise<Me | undefined> {
  const answer = await api.GET('/me')
  return answer.response.status === 401 ? undefined : dataOf(answer)
}

/** Ends this session, or every session of the person. */
export async function signOut(isEverywhere: boolean): Promise<void> {
  await request(isEverywhere ? '/session?everywhere=true' : '/session', { method: 'DELETE' })
}

/** Sends a request about the session. Throws `Refusal`. */
export async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Refusal(response, await response.json().catch(() => undefined))
  return response
}
