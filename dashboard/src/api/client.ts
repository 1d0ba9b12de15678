// The typed client of the API, with the browser's session cookie instead of a key.

import { type ApiClient, createClient } from '../../../src/protocols/client/client.js'
import type { Site } from './answers.js'
import { overConnection } from './connection.js'
import { askForProof } from './proof.js'

export type * from './answers.js'
export {
  dataOf,
  deploy,
  oidOf as gitOidOf,
  Refusal,
  type Slice,
  sliceOf,
} from '../../../src/protocols/client/client.js'

/** Sends requests about the workspace of the session. */
export const api: ApiClient = createClient({ baseUrl: '', fetch: send, retries: 0 })

/** Returns a client for one site: it looks up paths and ids there. By default it does not retry, so a person sees a failure at once. */
export function siteApi(site: Pick<Site, 'id'>, { retries = 0 } = {}): ApiClient {
  return createClient({ baseUrl: '', siteId: site.id, fetch: send, retries })
}

const signedOut = new EventTarget()

/** Calls the listener when the service answers that there is no session. Returns a function that removes the listener. */
export function whenSignedOut(listener: () => void): () => void {
  signedOut.addEventListener('signed-out', listener)
  return () => signedOut.removeEventListener('signed-out', listener)
}

/** Tells the listeners that there is no session; for requests sent by other means. */
export function reportSignedOut(): void {
  signedOut.dispatchEvent(new Event('signed-out'))
}

/** Sends a request, and sends it again once the person has given a fresh proof, if it needs one. */
async function send(request: Request): Promise<Response> {
  // Only requests with short bodies need proofs.
  const isShort = request.method !== 'GET' && /json|^$/.test(request.headers.get('content-type') ?? '')
  const again = isShort ? request.clone() : undefined
  const response = await overConnection(fetch(request))
  if (response.status === 401) reportSignedOut()
  const isRepeated = again !== undefined && (await needsProof(response)) && (await askForProof())
  return isRepeated ? await overConnection(fetch(again)) : response
}

async function needsProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { code?: string } } | undefined
  return body?.error?.code === 'fresh_proof_required'
}
