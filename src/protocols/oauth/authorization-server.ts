// The authorization server for agents (OAuth 2.1): what clients ask goes to the library, and what people answer to its requests.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Next } from 'koa'
import type { Agent } from '../../catalog/agents/agents.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { PrivateRemotes } from '../../git/remotes/remote-address.js'
import { type Clock, toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import { AGENT_SCOPES, scopesUpTo, strongestScope } from '../../model/rights/agent-scopes.js'
import { networkOf } from '../http/counted-address.js'
import type { AskedConsent, GivenConsent } from '../../usecases/agents/connect-agent.js'
import { BadClient, placeOf, readClientMetadata } from './client-metadata.js'
import { configurationOf, refusalPage } from './configuration.js'
import { fetchClient } from './fetch-client.js'
import { ItemAdapter, type Running } from './item-adapter.js'
import { leaveOutOpenId } from './kept-parameters.js'
import { type Client, type Interaction, loadOidcProvider, type Provider } from './library.js'
import { PAGE_POLICY } from './pages.js'
import { type Resources, resourcesAt } from './resources.js'
import { successorOf } from './rotation.js'

export interface AuthorizationServerParts {
  catalog: Pick<Catalog, 'agents' | 'oauthItems' | 'users'>
  clock: Clock
  baseUrl: string
  /** URLs of the resources for which tokens are made; the first is meant if a client names none. */
  resources: readonly string[]
  exceptions: PrivateRemotes
  /** Runs the fetch of a client's metadata for a network when there is room for one more. Throws ServiceError. */
  during: <T>(askedFrom: string, work: () => Promise<T>) => Promise<T>
  /** Called once an agent has ended because its client revoked a token, or somebody used a token twice. */
  onRevoked: (agent: Agent) => Promise<void>
}

export interface AuthorizationServer {
  /** Answers a request of a client or a browser. */
  answer(ctx: Context): Promise<void>
  /** Registers a client (RFC 7591) for an address. Throws BadClient. */
  register(metadata: unknown, address: string): Promise<object>
  /** Returns the request for consent that this browser began; undefined if it is none of its own, or is over. */
  asked(browser: Browser, uid: string): Promise<AskedConsent | undefined>
  /** Ends the request for consent. Returns the URL for the browser. */
  allow(browser: Browser, asked: AskedConsent, given: GivenConsent): Promise<string>
  deny(browser: Browser): Promise<string>
}

interface Browser {
  req: IncomingMessage
  res: ServerResponse
}

/** Stands for "never": the library wants a time. */
const FAR_SECONDS = 100 * 365 * 86_400

export async function createAuthorizationServer(parts: AuthorizationServerParts): Promise<AuthorizationServer> {
  const { clock } = parts
  const resources = resourcesAt(parts.resources)
  const { provider, adapterOf, refusedFetches } = await createProvider(parts, resources)
  const [answerByLibrary] = provider.middleware
  const faults = new WeakMap<object, unknown>()
  provider.on('server_error', (ctx, error) => faults.set(ctx, error))
  return {
    async answer(ctx) {
      prepare(ctx, parts.baseUrl)
      await answerByLibrary?.(ctx, (async () => undefined) as Next).catch((error: unknown) => refuseLost(ctx, error))
      // The library hides its faults, and tells a client that must wait that it is not known: they are answered as all others.
      if (faults.has(ctx)) throw faults.get(ctx)
      const refusal = refusedFetches.get(ctx)
      if (refusal instanceof ServiceError) throw refusal
      if (ctx.status === 404) throw noEndpoint()
      refuseOpenRedirect(ctx)
      if (ctx.path.startsWith('/.well-known/') && ctx.status === 200) ctx.body = metadataOf(ctx.body as object)
    },
    async register(value, address) {
      const issuedAt = toSeconds(clock())
      const metadata = {
        client_id: randomUUID(),
        client_id_issued_at: issuedAt,
        ...readClientMetadata(value, 'A program'),
      }
      const { clientId } = makeClient(provider, metadata)
      await adapterOf('Client', { route: 'registration', askedFrom: networkOf(address) }).upsert(clientId, metadata)
      return metadata
    },
    async asked(browser, uid) {
      const interaction = await ownInteraction(provider, browser, uid)
      const client = interaction && (await provider.Client.find(String(interaction.params['client_id'])))
      return client && askedBy(client, interaction, resources)
    },
    async allow({ req, res }, { clientId, resource }, { agentId, userId, scope, expiresAt }) {
      const scopes = scopesUpTo(scope).join(' ')
      // The client gets what the person chose, whatever words it asked with.
      const interaction = await provider.interactionDetails(req, res)
      interaction.params = { ...interaction.params, scope: scopes }
      await interaction.save(interaction.exp - toSeconds(clock()))
      const grant = new provider.Grant({ jti: agentId, accountId: userId, clientId })
      grant.exp = expiresAt ?? toSeconds(clock()) + FAR_SECONDS
      grant.addResourceScope(resource, scopes)
      const grantId = await grant.save()
      const client = await provider.Client.find(clientId)
      if (client !== undefined) await adapterOf('Client').keep(clientId, client.metadata())
      const result = { login: { accountId: userId, remember: false }, consent: { grantId } }
      return await provider.interactionResult(req, res, result)
    },
    async deny({ req, res }) {
      const result = { error: 'access_denied', error_description: 'The person did not allow it.' }
      return await provider.interactionResult(req, res, result)
    },
  }
}

/** Lets the library check the metadata. Throws BadClient. */
function makeClient(provider: Provider, metadata: object): Client {
  try {
    return new provider.Client(metadata)
  } catch (error) {
    const { error_description: reason } = error as { error_description?: string }
    if (reason === undefined) throw error
    throw new BadClient('invalid_client_metadata', `${reason}.`)
  }
}

interface Created {
  provider: Provider
  /** `running` stands in for a request that the library does not know. */
  adapterOf: (kind: string, running?: Running) => ItemAdapter
  /** The reasons why a client's metadata could not be fetched, by request. */
  refusedFetches: WeakMap<object, unknown>
}

async function createProvider(parts: AuthorizationServerParts, resources: Resources): Promise<Created> {
  const { Provider, errors, policy } = await loadOidcProvider()
  const runningNow = (): Running | undefined => {
    const { ctx } = Provider
    return ctx && { route: ctx.oidc.route, askedFrom: networkOf(ctx.state.client ?? '') }
  }
  const adapterOf = (kind: string, running?: Running) =>
    new ItemAdapter(kind, {
      ...parts,
      usedTwice: () => new errors.InvalidGrant('the token was used by another request'),
      tooLong: (words) => new errors.InvalidRequest(words),
      running: () => running ?? runningNow(),
    })
  const { Check, Prompt, base } = policy
  const prompts = base()
  prompts.clear()
  const always = new Check(
    'consent_missing',
    'the person must allow each request',
    'consent_required',
    (ctx) => ctx.oidc.result?.consent?.grantId === undefined,
  )
  prompts.add(new Prompt({ name: 'consent', requestable: true }, always))
  // The consent is given by a person who is signed in.
  prompts.add(new Prompt({ name: 'login', requestable: true }))
  const { exceptions, during } = parts
  const refusedFetches = new WeakMap<object, unknown>()
  const configuration = configurationOf({
    ...parts,
    resources,
    adapter: adapterOf,
    policy: prompts,
    async fetch(url) {
      // After a failure the library asks once more, for the page that tells it.
      const request = Provider.ctx ?? {}
      if (refusedFetches.has(request)) throw refusedFetches.get(request)
      const from = runningNow()?.askedFrom ?? ''
      const fetching = fetchClient(url, { exceptions, during: async (work) => await during(from, work) })
      return await fetching.catch((error: unknown) => {
        refusedFetches.set(request, error)
        throw error
      })
    },
    invalidTarget: (reason) => new errors.InvalidTarget(reason),
  })
  const provider = new Provider(parts.baseUrl, configuration)
  giveSuccessors(provider, parts, () => Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti)
  return { provider, adapterOf, refusedFetches }
}

/** Lets a refresh token that replaces another one be its successor. `replaced` returns the other one. */
function giveSuccessors(
  { RefreshToken }: Provider,
  { catalog }: AuthorizationServerParts,
  replaced: () => string | undefined,
): void {
  const makeRandomId = RefreshToken.prototype.generateTokenId
  RefreshToken.prototype.generateTokenId = function () {
    const before = replaced()
    if (before === undefined) return makeRandomId.call(this)
    const name = { kind: 'RefreshToken', id: before, hash: hashKey(before) }
    return successorOf(before, catalog.oauthItems.find(name)?.payload)
  }
}

/**
 * Lets the library see the request as sent to BASE_URL. It gets no parameter for which it makes a form that a script sends: the mode of the
 * answer, and the code of a program in the URL, which our page shows.
 */
function prepare(ctx: Context, baseUrl: string): void {
  const { origin, protocol } = new URL(baseUrl)
  Object.defineProperty(ctx.request, 'origin', { value: origin })
  Object.defineProperty(ctx.request, 'protocol', { value: protocol.slice(0, -1) })
  ctx.cookies.secure = protocol === 'https:'
  if (ctx.querystring === '') return
  const query = new URLSearchParams(ctx.querystring)
  const code = ctx.path === '/oauth/device' ? query.get('user_code') : null
  if (code !== null) Object.assign(ctx.state, { userCode: code })
  query.delete('user_code')
  query.delete('response_mode')
  leaveOutOpenId(query)
  ctx.querystring = query.toString()
}

function noEndpoint(): ServiceError {
  return new ServiceError(
    'route_not_found',
    'There is no such endpoint: /.well-known/oauth-authorization-server names those for programs that connect.',
  )
}

/** Answers a browser that comes back without the cookies of its request: there the library fails. */
function refuseLost(ctx: Context, error: unknown): void {
  const isKnown = error instanceof TypeError && error.message.startsWith('persist can only be called')
  if (!isKnown) throw error
  showRefusal(ctx, 'invalid_request', 'this browser did not begin it, or it is over.')
}

/** Shows a refusal here: before consent, nobody is sent to an address that a stranger registered (RFC 9700 §4.11). */
function refuseOpenRedirect(ctx: Context): void {
  const location = ctx.res.getHeader('Location')
  if (ctx.path !== '/oauth/authorize' || typeof location !== 'string' || location.startsWith('/oauth/')) return
  const answer = new URL(location).searchParams
  ctx.remove('Location')
  showRefusal(ctx, answer.get('error') ?? '', answer.get('error_description') ?? '')
}

function showRefusal(ctx: Context, code: string, reason: string): void {
  ctx.status = 400
  ctx.set('Content-Security-Policy', PAGE_POLICY)
  ctx.type = 'html'
  ctx.body = refusalPage(code, reason)
}

/** Leaves out what the library says about OpenID Connect (RFC 8414 §2). */
function metadataOf(all: object): object {
  const known =
    /^(?:issuer|.*_endpoint|grant_types_supported|code_challenge_methods_supported|token_endpoint_auth_methods_supported|response_types_supported|authorization_response_iss_parameter_supported|client_id_metadata_document_supported)$/
  const fields = Object.entries(all).filter(([name]) => known.test(name))
  const scopes = [...AGENT_SCOPES, 'offline_access']
  return { ...Object.fromEntries(fields), scopes_supported: scopes, response_modes_supported: ['query'] }
}

async function ownInteraction(
  provider: Provider,
  { req, res }: Browser,
  uid: string,
): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(req, res)
    return interaction.uid === uid ? interaction : undefined
  } catch (error) {
    if ((error as Error).name === 'SessionNotFound') return undefined
    throw error
  }
}

function askedBy(client: Client, { params }: Interaction, { first }: Resources): AskedConsent {
  const { resource, scope, redirect_uri: redirect } = params
  return {
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    ...(client.clientId.startsWith('https://') && { provenHost: new URL(client.clientId).host }),
    ...(typeof redirect === 'string' && { goesTo: placeOf(redirect) }),
    resource: typeof resource === 'string' ? resource : first,
    scope: strongestScope(typeof scope === 'string' ? scope : undefined),
  }
}
