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

/** Ends this session, or every session of the person. Returns the URL to go to: the provider's, if it has a session to end too. */
export async function signOut(isEverywhere: boolean): Promise<string> {
  const url = isEverywhere ? '/session?everywhere=true' : '/session'
  const { endSessionUrl } = await request<{ endSessionUrl?: string }>(url, { method: 'DELETE' })
  return endSessionUrl ?? '/sign-in'
}

export interface SignInProblem {
  code: string
  message: string
  /** The person, as the provider says. */
  name?: string
  email?: string
  /** Whether the browser has a session all the same. */
  isSignedIn?: boolean
}

export interface SignInProviders {
  providers: { id: string; name: string; issuer: string }[]
  /** The reason why the last sign-in at one of them failed. */
  problem?: SignInProblem
}

/** Lists the identity providers at which people sign in. */
export async function readProviders(signal: AbortSignal): Promise<SignInProviders> {
  return await request('/session/providers', { signal })
}

/** Sends a request about the session and returns its data. Throws `Refusal`. */
export async function request<Data>(url: string, init: RequestInit): Promise<Data> {
  const response = await fetch(url, init)
  const body = (await response.json().catch(() => undefined)) as { data: Data } | undefined
  if (!response.ok || body === undefined) throw new Refusal(response, body)
  return body.data
}
