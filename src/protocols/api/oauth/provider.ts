// Sets the library's provider up: its models in the catalog, consent as its one question to people, and refresh tokens with successors.

import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import type { Agent } from '../../../catalog/agents/agents.js'
import { hashKey } from '../../../model/key-format.js'
import type { Services } from '../../../usecases/context/services.js'
import { networkOf } from '../../http/counted-address.js'
import { configurationOf } from './configuration.js'
import { fetchClient } from './fetch-client.js'
import { ItemAdapter, type Running } from './item-adapter.js'
import { loadOidcProvider, type Provider } from './library.js'
import type { Resources } from './resources.js'
import { successorOf } from './rotation.js'

export interface CreatedProvider {
  provider: Provider
  /** `running` stands in for a request that the library does not know. */
  adapterOf: (kind: string, running?: Running) => ItemAdapter
  /** The reasons why a client's metadata could not be fetched, by request. */
  refusedFetches: WeakMap<object, unknown>
}

export async function createProvider(services: Services, resources: Resources): Promise<CreatedProvider> {
  const { Provider, errors, policy } = await loadOidcProvider()
  const { catalog, clock, baseUrl } = services
  const runningNow = (): Running | undefined => {
    const { ctx } = Provider
    return ctx && { route: ctx.oidc.route, askedFrom: networkOf(ctx.state.client ?? '') }
  }
  const adapterOf = (kind: string, running?: Running) =>
    new ItemAdapter(kind, {
      catalog,
      clock,
      onRevoked: async (agent) => await recordRevoked(services, agent),
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
  const refusedFetches = new WeakMap<object, unknown>()
  const configuration = configurationOf({
    catalog,
    baseUrl,
    resources,
    adapter: adapterOf,
    policy: prompts,
    async fetch(url) {
      // After a failure the library asks once more, for the page that tells it.
      const request = Provider.ctx ?? {}
      if (refusedFetches.has(request)) throw refusedFetches.get(request)
      return await fetchFor(services, runningNow()?.askedFrom ?? '', url).catch((error: unknown) => {
        refusedFetches.set(request, error)
        throw error
      })
    },
    invalidTarget: (reason) => new errors.InvalidTarget(reason),
  })
  const provider = new Provider(baseUrl, configuration)
  giveSuccessors(provider, services, () => Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti)
  return { provider, adapterOf, refusedFetches }
}

/** Fetches a client's metadata for a network when there is room for one more. Throws ServiceError. */
async function fetchFor({ admission, privateRemotes }: Services, askedFrom: string, url: string): Promise<Response> {
  return await fetchClient(url, {
    exceptions: privateRemotes,
    async during(work) {
      refuseOver([await admission.rate('client-documents').take(askedFrom)], RATES['client-documents'].message)
      return await admission.gate('client-documents').during(askedFrom, work)
    },
  })
}

/** Records that an agent has ended because its client revoked a token, or somebody used a token twice. */
async function recordRevoked({ catalog }: Services, { id, workspaceId, userId, clientId }: Agent): Promise<void> {
  await catalog.audit.record({
    workspaceId,
    actor: { kind: 'agent', id, userId, client: clientId },
    action: 'agent.disconnect',
    target: `agent ${id}`,
    details: { why: 'a token was revoked, or used twice' },
  })
}

/** Lets a refresh token that replaces another one be its successor. `replaced` returns the other one. */
function giveSuccessors(
  { RefreshToken }: Provider,
  { catalog }: Pick<Services, 'catalog'>,
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
