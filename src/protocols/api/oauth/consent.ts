// Consent: the dashboard shows what a client asks, and sends what the person chose. Only the browser that the client sent here can do so,
// with the cookie of the request and the session of the person.

import { type ConsentBody, consentBody, type ConsentData } from '../../../../schemas/agents.js'
import { ServiceError } from '../../../model/errors.js'
import type { Principal } from '../../../model/principal.js'
import { type AskedConsent, connectAgent, consentPlaces } from '../../../usecases/agents/connect-agent.js'
import { refuseUnproven } from '../../../usecases/access/fresh-proof.js'
import { authenticateSession } from '../../../usecases/access/authenticate-session.js'
import type { Services } from '../../../usecases/context/services.js'
import { createCheck } from '../request/check-input.js'
import type { ApiContext } from '../request/request-state.js'
import { originOf } from '../sign-in/device.js'
import { refuseCrossSite, sessionOf } from '../sign-in/session-cookie.js'
import { type OAuthParts, readShortJson } from './oauth-parts.js'

/** Room for the ids of as many sites as a consent can name. */
const MAX_CONSENT_BYTES = 64 * 1024
/** The choice of the form. */
const DEFAULT_DAYS = 30

const checkBody = createCheck(consentBody, 'invalid_body', 'The body')

export function consentHandlers(parts: OAuthParts) {
  return {
    async consent(ctx: ApiContext, { uid = '' }: Readonly<Record<string, string>>) {
      ctx.set('Cache-Control', 'no-store')
      // A browser that a client sent gets the page, which asks again with the cookies that belong to this path.
      if (ctx.accepts('json', 'html') === 'html') return ctx.redirect(`/consent/${uid}`)
      const { principal, asked } = await findAsked(ctx, parts, uid)
      ctx.body = { success: true, data: await toConsentData(parts.services, principal, asked) }
    },
    async consentAnswer(ctx: ApiContext, { uid = '' }: Readonly<Record<string, string>>) {
      ctx.set('Cache-Control', 'no-store')
      const found = await findAsked(ctx, parts, uid)
      const body = await readShortJson(ctx, parts, MAX_CONSENT_BYTES)
      checkBody(body)
      const goTo = await answer(ctx, parts, { ...found, body: body as ConsentBody })
      ctx.body = { success: true, data: { goTo } }
    },
  }
}

/** Finds the request that this browser began. Throws `unauthenticated`, `cross_site_request` and `consent_not_found`. */
async function findAsked(ctx: ApiContext, { services, server }: OAuthParts, uid: string) {
  const principal = personOfSession(ctx, services)
  const asked = await (await server()).asked(ctx, uid)
  if (asked === undefined) throw over()
  return { principal, asked }
}

async function answer(
  ctx: ApiContext,
  { services, server: load }: OAuthParts,
  { principal, asked, body }: { principal: Principal; asked: AskedConsent; body: ConsentBody },
): Promise<string> {
  const server = await load()
  if (!body.allow) return await server.deny(ctx)
  const { workspaceId = principal.workspaceId, scope = 'read', sites, expiresInDays = DEFAULT_DAYS } = body
  if (sites === undefined) throw noSites()
  const there = personOfSession(ctx, services, workspaceId)
  refuseUnproven(services, there)
  const given = await connectAgent({ ...services, principal: there, from: originOf(ctx) }, asked, {
    workspaceId,
    scope,
    sites,
    expiresInDays,
  })
  return await server.allow(ctx, asked, given)
}

/** Returns the principal of the browser's session. Throws `unauthenticated` and `cross_site_request`. */
function personOfSession(ctx: ApiContext, services: Services, workspaceId?: string): Principal {
  refuseCrossSite(ctx.req, services.baseUrl)
  const secret = sessionOf(ctx.req, services.baseUrl)
  if (secret === undefined) throw new ServiceError('unauthenticated', 'Sign in first: an agent acts for a person.')
  return authenticateSession(services, secret, workspaceId)
}

async function toConsentData(services: Services, principal: Principal, asked: AskedConsent): Promise<ConsentData> {
  const { clientName: client, provenHost = null, goesTo = null, resource, scope } = asked
  const { label: person, workspaceId } = principal
  const workspaces = await consentPlaces(services, principal)
  return { client, provenHost, goesTo, resource, scope, person, workspaces, workspaceId }
}

function noSites(): ServiceError {
  return new ServiceError('invalid_body', 'sites is missing: name the sites, or send null for all, also later ones.')
}

function over(): ServiceError {
  return new ServiceError(
    'consent_not_found',
    'This browser has no such request of a program, or it is over: start again in the program.',
  )
}
