// How the library is set up: OAuth 2.1 for public clients with PKCE, opaque tokens for two resources, and consent asked for each time.

import { generateKeyPairSync } from 'node:crypto'
import type { Catalog } from '../../../catalog/catalog.js'
import { AGENT_SCOPES } from '../../../model/rights/agent-scopes.js'
import { originsOf } from './client-metadata.js'
import type { Client, ProviderContext } from './library.js'
import type { Resources } from './resources.js'
import { codePage, PAGE_POLICY, sameCodePage, textPage } from './pages.js'

export interface ConfigurationParts {
  catalog: Pick<Catalog, 'users'>
  /** Without a slash at the end. */
  baseUrl: string
  resources: Resources
  adapter: (kind: string) => object
  policy: object
  fetch: (url: string) => Promise<Response>
  invalidTarget: (reason: string) => Error
}

const ACCESS_SECONDS = 3_600
/** An agent that is not used for so long must be connected again. */
const REFRESH_SECONDS = 30 * 86_400
const CONSENT_SECONDS = 3_600

export function configurationOf(parts: ConfigurationParts): object {
  const { baseUrl, catalog, adapter, policy, fetch } = parts
  return {
    adapter,
    fetch,
    jwks: { keys: [keyOfNothing()] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      device_authorization: '/oauth/device-code',
      code_verification: '/oauth/device',
      jwks: '/oauth/jwks',
      end_session: '/oauth/end',
    },
    cookies: cookies(),
    scopes: [...AGENT_SCOPES, 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    pkce: { required: () => true },
    features: { ...featuresOff(), ...features(parts), deviceFlow: deviceFlow() },
    ttl: ttl(),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx: unknown, client: { grantTypeAllowed: (type: string) => boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    revokeGrantPolicy: () => true,
    clientBasedCORS: (_ctx: unknown, origin: string, client: Client) => originsOf(client.redirectUris).includes(origin),
    // Its own pages may use the token.
    extraTokenClaims: ({ oidc: { client } }: ProviderContext) => ({ origins: originsOf(client?.redirectUris ?? []) }),
    findAccount: (_ctx: unknown, id: string) =>
      catalog.users.find(id) && { accountId: id, claims: () => ({ sub: id }) },
    loadExistingGrant,
    interactions: { policy, url: (_ctx: unknown, { uid }: { uid: string }) => `/oauth/consent/${uid}` },
    renderError,
    discovery: { registration_endpoint: `${baseUrl}/oauth/register` },
  }
}

/** The library wants a key for ID tokens. None are made, so the key signs nothing and nobody has to know it. */
function keyOfNothing(): object {
  return { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), use: 'sig' }
}

/** Their values are random ids, so nobody can make one up: they need no signature. */
function cookies(): object {
  const options = { httpOnly: true, sameSite: 'lax' }
  return {
    names: { session: 'oauth_session', interaction: 'oauth_interaction', resume: 'oauth_resume' },
    long: { ...options, path: '/oauth' },
    short: options,
  }
}

function ttl(): object {
  return {
    AccessToken: ACCESS_SECONDS,
    AuthorizationCode: 60,
    DeviceCode: 600,
    // The consent sets its own.
    Grant: CONSENT_SECONDS,
    Interaction: CONSENT_SECONDS,
    RefreshToken: REFRESH_SECONDS,
    Session: CONSENT_SECONDS,
  }
}

function featuresOff(): object {
  const names = ['devInteractions', 'dPoP', 'rpInitiatedLogout', 'pushedAuthorizationRequests', 'userinfo']
  return Object.fromEntries(names.map((name) => [name, { enabled: false }]))
}

function features({ resources, invalidTarget }: ConfigurationParts): object {
  return {
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx: unknown, client: Client, token: { clientId: string }) => token.clientId === client.clientId,
    },
    // Such a document stays known for an hour, so that a refresh does not depend on its host.
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 3_600, max: 86_400 } },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx: unknown, _client: unknown, several: unknown) => several ?? resources.first,
      useGrantedResource: () => true,
      getResourceServerInfo: ({ oidc: { params } }: ProviderContext, resource: string) => {
        // Consent is for one of them, so nobody is asked for several.
        const audience = Array.isArray(params?.['resource']) ? undefined : resources.find(resource)
        if (audience === undefined) throw invalidTarget(resources.problem)
        return { scope: AGENT_SCOPES.join(' '), audience, accessTokenFormat: 'opaque' }
      },
    },
  }
}

function deviceFlow(): object {
  return {
    enabled: true,
    userCodeInputSource: async (ctx: ProviderContext, _form: string, _out: unknown, error?: Error) => {
      const named = error === undefined ? await programOf(ctx, ctx.state.userCode) : undefined
      if (named !== undefined) return show(ctx, sameCodePage(ctx.oidc.session.state?.secret ?? '', named))
      const problem =
        error && 'This code is wrong, was used, or has expired. Look at it again, or start the program again.'
      const { user_code: typed } = ctx.oidc.params ?? {}
      const code = typeof typed === 'string' ? typed : (ctx.state.userCode ?? '')
      show(ctx, codePage(ctx.oidc.session.state?.secret ?? '', code, problem))
    },
    userCodeConfirmSource: (ctx: ProviderContext, _form: string, client: Client, _info: unknown, code: string) =>
      show(ctx, sameCodePage(ctx.oidc.session.state?.secret ?? '', { name: client.clientName ?? '', code })),
    successSource: (ctx: ProviderContext) =>
      show(ctx, textPage('The program is connected', 'Go back to it. You may close this page.')),
  }
}

/** Finds the program that shows a code, which came in the address: the person need not type it again. Undefined if it is over. */
async function programOf(
  { oidc: { provider } }: ProviderContext,
  code: string | undefined,
): Promise<{ name: string; code: string } | undefined> {
  const letters = code?.toUpperCase().replaceAll(/\W/g, '') ?? ''
  if (letters === '') return undefined
  const asked = await provider.DeviceCode.findByUserCode(letters, { ignoreExpiration: true })
  if (asked === undefined || asked.isExpired || asked.inFlight === true) return undefined
  if (asked.error !== undefined || asked.accountId !== undefined) return undefined
  const client = await provider.Client.find(asked.clientId)
  return client && { name: client.clientName ?? '', code: letters.replace(/^(.{4})(.{4})$/, '$1-$2') }
}

/** Only the consent of this very request counts. */
async function loadExistingGrant(ctx: ProviderContext & { oidc: { provider: GrantFinder } }): Promise<unknown> {
  const id = ctx.oidc.result?.consent?.grantId
  return id === undefined ? undefined : await ctx.oidc.provider.Grant.find(id)
}

interface GrantFinder {
  Grant: { find(id: string): Promise<unknown> }
}

/** Says more than the library. */
const REASONS: Readonly<Record<string, string>> = {
  invalid_client:
    'this service does not know the program, or has forgotten it. Remove the sign-in that the program remembers, and connect it again.',
}

function renderError(ctx: ProviderContext, out: { error: string; error_description?: string }, error: Error): void {
  const { cause } = error
  const reason = cause instanceof Error ? cause.message : (REASONS[out.error] ?? out.error_description)
  show(ctx, refusalPage(out.error, reason))
}

export function refusalPage(code: string, reason = ''): string {
  return textPage(
    'This program cannot be connected',
    `It sent a request that is refused (${code}): ${reason}`,
    'Nothing was allowed. Start again in the program; if this comes back, tell its makers.',
  )
}

function show(ctx: ProviderContext, html: string): void {
  ctx.set('Content-Security-Policy', PAGE_POLICY)
  ctx.type = 'html'
  ctx.body = html
}
