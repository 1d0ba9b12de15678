// The authorization server for agents (OAuth 2.1): what clients ask goes to the library, and what people answer to its requests.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Next } from 'koa'
import { toSeconds } from '../../../model/clock.js'
import { ServiceError } from '../../../model/errors.js'
import { scopesUpTo, strongestScope } from '../../../model/rights/agent-scopes.js'
import type { AskedConsent, GivenConsent } from '../../../usecases/agents/connect-agent.js'
import type { Services } from '../../../usecases/context/services.js'
import { networkOf } from '../../http/counted-address.js'
import { BadClient, placeOf, readClientMetadata } from './client-metadata.js'
import type { Client, Interaction, Provider } from './library.js'
import { hideFromLibrary, metadataOf, noEndpoint, refuseLost, refuseOpenRedirect } from './library-requests.js'
import { createProvider } from './provider.js'
import { RESOURCE_PATHS, type Resources, resourcesAt } from './resources.js'

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

export type LoadAuthorizationServer = () => Promise<AuthorizationServer>

/** Returns the authorization server. It is made with the first request that needs it. */
export function loadAuthorizationServer(services: Services): LoadAuthorizationServer {
  let server: Promise<AuthorizationServer> | undefined
  return async () => await (server ??= createAuthorizationServer(services))
}

/** Stands for "never": the library wants a time. */
const FAR_SECONDS = 100 * 365 * 86_400

async function createAuthorizationServer(services: Services): Promise<AuthorizationServer> {
  const { clock, baseUrl } = services
  const resources = resourcesAt(RESOURCE_PATHS.map((path) => `${baseUrl}${path}`))
  const { provider, adapterOf, refusedFetches } = await createProvider(services, resources)
  const [answerByLibrary] = provider.middleware
  const faults = new WeakMap<object, unknown>()
  provider.on('server_error', (ctx, error) => faults.set(ctx, error))
  return {
    async answer(ctx) {
      hideFromLibrary(ctx, baseUrl)
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
