// The typed client of the API, with the browser's session cookie instead of a key, and the names of its answers.

import { type ApiClient, createClient, type DataOf } from '../../../src/protocols/client/client.js'

import { askForProof } from './proof.js'

export {
  dataOf,
  deploy,
  oidOf as gitOidOf,
  Refusal,
  type Slice,
  sliceOf,
} from '../../../src/protocols/client/client.js'

export type Page = DataOf<'/pages/{id}', 'get'>
export type TriedRules = DataOf<'/sites/{id}/resolve', 'post'>
export type StoredFile = DataOf<'/files', 'get'>[number]
export type PageHit = DataOf<'/search', 'get'>[number]
export type Version = DataOf<'/pages/{id}/versions/{version}', 'get'>
export type Site = DataOf<'/sites/{id}', 'get'>
export type SiteLink = DataOf<'/sites/{id}/links', 'get'>[number]
export type Mirror = DataOf<'/sites/{id}/mirror', 'get'>
export type Commit = DataOf<'/sites/{id}/commits/{oid}', 'get'>
export type Undo = DataOf<'/sites/{id}/undo', 'post'>
export type Tag = DataOf<'/sites/{id}/tags', 'get'>[number]
export type Checks = DataOf<'/sites/{id}/checks', 'get'>
export type Collection = DataOf<'/collections/{id}', 'get'>
export type StoredRecord = DataOf<'/collections/{id}/records/{recordId}', 'get'>
export type Key = DataOf<'/keys', 'get'>[number]
export type Agent = DataOf<'/agents', 'get'>[number]
export type NewKey = DataOf<'/keys', 'post'>
export type Passkey = DataOf<'/me/passkeys', 'get'>[number]
export type Session = DataOf<'/me/sessions', 'get'>[number]
export type Member = DataOf<'/members', 'get'>[number]
export type OneMember = DataOf<'/members/{id}', 'get'>
export type MemberLink = DataOf<'/members/{id}/sign-in-link', 'post'>
export type MailDomain = DataOf<'/mail-domains', 'get'>[number]
export type Identity = DataOf<'/me/identities', 'get'>[number]
export type Invitation = DataOf<'/invitations', 'get'>[number]
export type NewInvitation = DataOf<'/invitations', 'post'>
export type AuditEntry = DataOf<'/audit', 'get'>[number]
export type Me = DataOf<'/me', 'get'>
export type Usage = DataOf<'/usage', 'get'>

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
  const response = await fetch(request).catch(explainFailure)
  if (response.status === 401) reportSignedOut()
  const isRepeated = again !== undefined && (await needsProof(response)) && (await askForProof())
  return isRepeated ? await fetch(again).catch(explainFailure) : response
}

async function needsProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { code?: string } } | undefined
  return body?.error?.code === 'fresh_proof_required'
}

function explainFailure(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw unreachable(error)
}

/** Returns an error to show to people. */
export function unreachable(cause?: unknown): Error {
  return new Error('The service cannot be reached. Check the connection and try again.', { cause })
}
