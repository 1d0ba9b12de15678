// Speaks with the authorization server of a service, by way of a library (RFC 6749, RFC 7591 and RFC 8414).

import { hostname } from 'node:os'
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  ClientError,
  type ClientMetadata,
  Configuration,
  customFetch,
  type CustomFetch,
  dynamicClientRegistration,
  None,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'openid-client'
import type { Tokens } from './credentials.js'
import { proxiedFetch } from './proxied-fetch.js'
import { Unusable } from './unusable.js'

/** A service that is asked by http may lead to https, and then tells its own address. */
const send: CustomFetch = async (url, options) =>
  await proxiedFetch(url, { ...(options as RequestInit), redirect: 'follow' })

/** The service is older than sign-in by browser. */
export class NoSignIn extends Unusable {}

/** The service calls itself by another address, so it cannot be told whose browser page would answer. */
export class OtherAddress extends Unusable {
  constructor(baseUrl: string, issuer: string | undefined) {
    const own = typeof issuer === 'string' ? `set PALIMPSEST_URL=${issuer}` : 'check PALIMPSEST_URL'
    super(`${baseUrl} is not the service's own address, so you cannot sign in by browser there: ${own}.`)
  }
}

/**
 * Registers this program for one login, under the name by which its person finds it among the connected agents. Throws NoSignIn,
 * OtherAddress if the service is known by another address, and Unusable if it registers nobody now.
 */
export async function registerClient(baseUrl: string, grants: Partial<ClientMetadata>): Promise<Configuration> {
  const metadata = { client_name: `palimpsest on ${hostname()}`, ...grants }
  try {
    return await dynamicClientRegistration(new URL(baseUrl), metadata, None(), {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
      [customFetch]: send,
    })
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === 'OAUTH_TIMEOUT') throw asUnusable(error)
    const { status, body } = (error.cause ?? {}) as { status?: number; body?: { issuer?: string } }
    if (status === 404 || status === 401) throw new NoSignIn(`${baseUrl} is too old for this: use --key.`)
    throw new OtherAddress(baseUrl, body?.issuer)
  }
}

/** Returns the client that an earlier login registered. */
export function clientOf(baseUrl: string, { clientId, tokenEndpoint, revocationEndpoint }: Tokens): Configuration {
  const endpoints = { token_endpoint: tokenEndpoint, revocation_endpoint: revocationEndpoint }
  const client = new Configuration({ issuer: baseUrl, ...endpoints }, clientId)
  client[customFetch] = send
  allowInsecureRequests(client)
  return client
}

/** Returns what is stored of an answer of the token endpoint. */
export function tokensOf(client: Configuration, answer: TokenEndpointResponse): Tokens {
  const { token_endpoint: tokenEndpoint = '', revocation_endpoint: revocationEndpoint = '' } = client.serverMetadata()
  return {
    clientId: client.clientMetadata().client_id,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? '',
    expiresAt: new Date(Date.now() + (answer.expires_in ?? 0) * 1000).toISOString(),
    tokenEndpoint,
    revocationEndpoint,
  }
}

/** Returns the resource that the tokens are for. */
export function resourceOf(baseUrl: string): string {
  return `${baseUrl}/api/v1`
}

/** Returns the error for a person whom the service gave no tokens. An error of the connection stays what it is. */
export function asUnusable(error: unknown, advice = ''): unknown {
  if (error instanceof TypeError) return error
  return new Unusable(`The service did not sign you in: ${reasonOf(error).replace(/\.$/, '')}.${advice}`)
}

function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return error.error_description ?? error.error
  if (error instanceof AuthorizationResponseError) return error.error
  const isOther = error instanceof ClientError && error.code === 'OAUTH_INVALID_RESPONSE'
  return isOther ? 'wrong issuer' : String(error)
}
