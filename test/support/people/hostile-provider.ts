// An identity provider for tests that is wrong in one way at a time. Without a fault its answers are right.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface Faults {
  /** Changes the claims of the ID token. */
  claims?: (claims: JWTPayload) => JWTPayload
  /** Makes the ID token instead. */
  token?: (claims: JWTPayload) => Promise<string> | string
  /** Changes the metadata. */
  metadata?: object
  /** Answers instead at a path; false takes the request without an answer. */
  at?: Record<string, { status: number; body: string } | false>
  /** The address to which the person is sent instead of back. */
  detour?: (back: URL) => string
  userinfo?: object
}

export interface HostileProvider {
  issuer: string
  settings: { id: string; issuer: string; clientId: string; clientSecret: string }
  faults: Faults
  /** Bodies of the requests for tokens. */
  tokenRequests: string[]
  /** Signs with the published key. */
  sign(claims: JWTPayload, key?: CryptoKey | Uint8Array, alg?: string): Promise<string>
  stop(): Promise<void>
}

export async function startHostileProvider(id: string): Promise<HostileProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
  const server = createServer((request, response) => {
    answer(started, jwks, request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const started: HostileProvider = {
    issuer,
    settings: { id, issuer, clientId: 'palimpsest', clientSecret: 'a secret' },
    faults: {},
    tokenRequests: [],
    sign: (claims, key = privateKey, alg = 'RS256') =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(key),
    stop: () => stop(server),
  }
  return started
}

/** The nonces of the codes that were given. */
const nonces = new Map<string, string>()

async function answer(
  provider: HostileProvider,
  jwks: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { issuer, faults } = provider
  const url = new URL(request.url ?? '/', issuer)
  const fault = faults.at?.[url.pathname]
  if (fault === false) return
  const json = (body: string, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
  if (fault !== undefined) return void json(fault.body, fault.status)
  if (url.pathname === '/.well-known/openid-configuration')
    return void json(JSON.stringify({ ...metadataOf(issuer), ...faults.metadata }))
  if (url.pathname === '/jwks') return void json(jwks)
  if (url.pathname === '/userinfo') return void json(JSON.stringify(faults.userinfo ?? { sub: 'eve' }))
  if (url.pathname === '/auth') return sendBack(provider, url.searchParams, response)
  if (url.pathname === '/token') return void json(await tokensOf(provider, await bodyOf(request)))
  response.writeHead(404).end()
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

function sendBack({ faults }: HostileProvider, asked: URLSearchParams, response: ServerResponse): void {
  const code = `code-${nonces.size}`
  nonces.set(code, asked.get('nonce') ?? '')
  const back = new URL(asked.get('redirect_uri') ?? '')
  back.searchParams.set('code', code)
  back.searchParams.set('state', asked.get('state') ?? '')
  response.writeHead(302, { location: faults.detour?.(back) ?? back.href }).end()
}

async function tokensOf(provider: HostileProvider, body: string): Promise<string> {
  provider.tokenRequests.push(body)
  const { issuer, faults, settings } = provider
  const now = Math.floor(Date.now() / 1000)
  const nonce = nonces.get(new URLSearchParams(body).get('code') ?? '') ?? ''
  const right = { iss: issuer, sub: 'eve', aud: settings.clientId, iat: now, exp: now + 60, nonce, groups: ['staff'] }
  const claims = faults.claims?.(right) ?? right
  const token = (await faults.token?.(claims)) ?? (await provider.sign(claims))
  return JSON.stringify({ access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}
