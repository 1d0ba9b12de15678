// Finds the authorization server of a service, and sends it forms. Its answers follow RFC 6749 and RFC 8628.

import { proxiedFetch } from './proxied-fetch.js'
import { hostname } from 'node:os'
import { Unusable } from './unusable.js'

/** The addresses that RFC 8414 names. */
export interface AuthorizationServer {
  issuer: string
  registration_endpoint: string
  authorization_endpoint: string
  token_endpoint: string
  device_authorization_endpoint: string
  revocation_endpoint: string
}

/** An answer of the token endpoint. `expires_in` is in seconds. */
export interface TokenAnswer {
  access_token: string
  refresh_token: string
  expires_in: number
}

/** A login that has just begun. */
export interface SignedIn {
  clientId: string
  answer: TokenAnswer
}

const MAX_ANSWER_MS = 30_000

/** Undefined for a service that is older than sign-in by browser. Throws OtherAddress if the service is known by another address. */
export async function findAuthorizationServer(baseUrl: string): Promise<AuthorizationServer | undefined> {
  const url = `${baseUrl}/.well-known/oauth-authorization-server`
  const answer = await proxiedFetch(url, { signal: AbortSignal.timeout(MAX_ANSWER_MS) })
  if (answer.status === 404 || answer.status === 401) return undefined
  const found = answer.ok
    ? ((await answer.json().catch(() => undefined)) as AuthorizationServer | undefined)
    : undefined
  // The codes and tokens of one server must not be sent to another (RFC 8414 §3.3).
  if (found?.issuer !== baseUrl) throw new OtherAddress(baseUrl, found?.issuer)
  return found
}

/** Registers this program for one login (RFC 7591), under the name by which its person finds it among the connected agents. */
export async function registerClient(
  { registration_endpoint: url }: AuthorizationServer,
  grants: object,
): Promise<string> {
  const response = await proxiedFetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: `palimpsest on ${hostname()}`, ...grants }),
    signal: AbortSignal.timeout(MAX_ANSWER_MS),
  })
  return (await readAnswer<{ client_id: string }>(response)).client_id
}

/** The service calls itself by another address, so it cannot be told whose browser page would answer. */
export class OtherAddress extends Unusable {
  constructor(baseUrl: string, issuer: string | undefined) {
    const own = typeof issuer === 'string' ? `set PALIMPSEST_URL=${issuer}` : 'check PALIMPSEST_URL'
    super(`${baseUrl} is not the service's own address, so you cannot sign in by browser there: ${own}.`)
  }
}

/** Returns the resource that the tokens are for. */
export function resourceOf(baseUrl: string): string {
  return `${baseUrl}/api/v1`
}

/** A refusal of the authorization server, such as `authorization_pending`. */
export class OAuthRefusal extends Error {
  readonly code: string

  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

/** Sends a form. Throws OAuthRefusal. */
export async function postForm<Answer>(url: string, fields: Record<string, string>): Promise<Answer> {
  const response = await proxiedFetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(MAX_ANSWER_MS),
  })
  return await readAnswer<Answer>(response)
}

async function readAnswer<Answer>(response: Response): Promise<Answer> {
  const answer = (await response.json().catch(() => ({}))) as { error?: string; error_description?: string }
  if (response.ok) return answer as Answer
  const { error = `status ${response.status}`, error_description: description = error } = answer
  throw new OAuthRefusal(error, description)
}
