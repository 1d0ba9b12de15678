// Consent: a person who is signed in lets an agent act, in one workspace, with a part of the person's own rights.

import { ServiceError } from '../../model/errors.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { MAX_KEY_SITES } from '../../model/limits.js'
import type { Principal } from '../../model/principal.js'
import { AGENT_SCOPES, type AgentScope, scopesUpTo } from '../../model/rights/agent-scopes.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { personOf, boundBy } from '../access/person.js'
import { workspacesOpened } from '../access/authenticate-session.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { Services } from '../context/services.js'
import { findSite, insufficientScope, resolveTarget } from '../context/target.js'

/** The wish of a client. */
export interface AskedConsent {
  clientId: string
  /** The client's own claim. */
  clientName: string
  /** The host of the client's metadata, which proves it; undefined for a client that registered itself. */
  provenHost?: string
  /** Where the browser goes next; undefined for a program without a browser. */
  goesTo?: string
  /** The URL of the resource for which tokens are made. */
  resource: string
  scope: AgentScope
}

/** The person's answer. */
export interface ConsentChoice {
  workspaceId: string
  scope: AgentScope
  /** Null: all sites of the person. */
  sites: readonly string[] | null
  /** Null: never. */
  expiresInDays: number | null
}

export interface GivenConsent {
  agentId: string
  userId: string
  scope: AgentScope
  /** Seconds since the epoch; null: never. */
  expiresAt: number | null
}

/** A workspace in which the person may let an agent act. */
export interface ConsentPlace {
  id: string
  name: string
  /** The scopes that the person can give there. */
  scopes: AgentScope[]
  sites: { id: string; slug: string }[]
}

const MAX_CONSENT_PLACES = 100

/** Lists the workspaces of the person, and what the person may give there. */
export async function consentPlaces(
  { catalog }: Pick<Services, 'catalog'>,
  principal: Principal,
): Promise<ConsentPlace[]> {
  const userId = personIdOf(principal)
  const ids = workspacesOpened({ catalog }, principal).slice(0, MAX_CONSENT_PLACES)
  const places: ConsentPlace[] = []
  for (const { id, name } of await catalog.workspaces.list(ids)) {
    const here = personOf(catalog, id, userId)
    if (here === undefined) continue
    const { scopes, sites } = boundBy(here, AGENT_SCOPES, null)
    // A person limited to sites makes no new ones.
    const given = AGENT_SCOPES.filter((scope) => holdsScope(scopes, scope) && (sites === null || scope !== 'sites'))
    const seen = (await catalog.sites.list(id, { only: sites })).slice(0, MAX_KEY_SITES)
    places.push({
      id,
      name,
      scopes: given,
      sites: seen.map((site) => ({ id: site.id, slug: site.slug })),
    })
  }
  return places
}

/**
 * Connects the agent with what the person chose: never more than the client asked, or than the person may do. Throws `workspace_not_found`,
 * `site_not_found` and `insufficient_scope`.
 */
export async function connectAgent(
  {
    catalog,
    clock,
    newId,
    principal,
    from,
  }: Pick<Call<'catalog' | 'clock' | 'newId'>, 'catalog' | 'clock' | 'newId' | 'principal' | 'from'>,
  asked: AskedConsent,
  { workspaceId, scope, sites, expiresInDays }: ConsentChoice,
): Promise<GivenConsent> {
  const userId = personIdOf(principal)
  const target = resolveTarget({ catalog }, principal, { workspaceId }, 'read')
  if (target.workspace.id !== principal.workspaceId) throw foreign()
  const wanted = AGENT_SCOPES.indexOf(scope) > AGENT_SCOPES.indexOf(asked.scope) ? asked.scope : scope
  if (!holdsScope(target.scopes, wanted)) throw insufficientScope(principal, wanted)
  if (wanted === 'sites' && (sites !== null || principal.sites !== null)) throw limitedToSites()
  const by = { catalog, principal, target, ...(from && { from }) }
  const ids = sites && [...new Set(sites.map((id) => findSite(by, id).id))]
  const now = toSeconds(clock())
  const expiresAt = expiresInDays === null ? null : now + expiresInDays * 86_400
  const agentId = newId()
  await catalog.agents.create({
    id: agentId,
    workspaceId: target.workspace.id,
    userId,
    clientId: asked.clientId,
    clientName: asked.clientName,
    scopes: scopesUpTo(wanted),
    sites: ids,
    expiresAt: expiresAt === null ? null : toTimestamp(expiresAt),
    createdAt: toTimestamp(now),
    device: from?.device ?? null,
  })
  const details = { scope: wanted, sites: ids, resource: asked.resource, expiresInDays }
  await recordAudit(by, {
    action: 'agent.connect',
    target: `agent ${agentId}`,
    details,
    personal: { about: asked.clientName },
  })
  return { agentId, userId, scope: wanted, expiresAt }
}

/** Throws `unauthenticated` for a session that began before people had accounts: an agent acts for somebody. */
function personIdOf({ person }: Principal): string {
  if (person !== undefined) return person.id
  throw new ServiceError('unauthenticated', 'Sign in again: an agent acts for a person, and this session has no name.')
}

function limitedToSites(): ServiceError {
  return new ServiceError('invalid_body', 'An agent that makes sites has all sites: choose all, or allow it to write.')
}

function foreign(): ServiceError {
  return new ServiceError('workspace_not_found', 'You are no member of this workspace: choose one of your own.')
}
