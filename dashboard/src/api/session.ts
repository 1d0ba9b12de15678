// The session of this browser: it begins with the token of a sign-in link, and ends by signing out.

import { notifyFailure } from '../parts/overlays/notices.js'
import { api, dataOf, type Me, type SignInProviders } from './client.js'

/** Begins a session. Throws `Refusal` if the token is used, expired or unknown. */
export async function signIn(token: string): Promise<void> {
  dataOf(await api.POST('/session', { body: { token } }))
}

/** Returns the key and workspace of the session; undefined without a session. */
export async function readSession(): Promise<Me | undefined> {
  const answer = await api.GET('/me')
  return answer.response.status === 401 ? undefined : dataOf(answer)
}

/** Ends this session, or every session of the person. Returns the URL to go to: the provider's, if it has a session to end too. */
async function signOut(isEverywhere: boolean): Promise<string> {
  const params = isEverywhere ? { query: { everywhere: true } } : {}
  const { endSessionUrl } = dataOf(await api.DELETE('/session', { params }))
  return endSessionUrl ?? '/sign-in'
}

/** Lists the identity providers at which people sign in, and the reason why the last sign-in at one of them failed. */
export async function readProviders(signal: AbortSignal | null): Promise<SignInProviders> {
  return dataOf(await api.GET('/session/providers', { signal }))
}

/** Signs out, and leaves the dashboard. */
export function leave(isEverywhere: boolean): void {
  signOut(isEverywhere).then((url) => location.assign(url), notifyFailure)
}
