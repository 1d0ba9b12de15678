// Makes the principal again that once asked for something to be done later, with the rights of the time at which it is done.

import { isUsable } from '../../catalog/api-key.js'
import { makerOf, type Principal } from '../../model/principal.js'
import { SCOPES } from '../../model/rights/scopes.js'
import type { Services } from '../context/services.js'
import { principalOfKey } from './authenticate.js'
import { isStillLent } from './loans.js'
import { boundBy, personOf } from './person.js'

type Parts = Pick<Services, 'catalog' | 'clock'>

/** A principal, as rows name it. */
export interface NamedPrincipal {
  /** `user <id>`, or kind and id. */
  maker: string
  /** The workspace in which it acted. */
  workspaceId: string
  /** Owners who lent the session in which it acted. */
  lentBy?: readonly string[] | undefined
}

/** Stands for the session of a person: the one in which they asked may have ended since. */
export const LATER = 'later'

/** Whether its rights can be asked for once its request is over. Those of a token and of a session without a person cannot. */
export function canActLater({ kind, person }: Pick<Principal, 'kind' | 'person'>): boolean {
  return kind === 'key' || kind === 'agent' || (kind === 'session' && person !== undefined)
}

export function nameOf(principal: Principal): NamedPrincipal {
  const { workspaceId, lentBy } = principal
  return { maker: makerOf(principal), workspaceId, lentBy }
}

/** Returns undefined once it has ended: the key or agent, the membership of the person, or the role of an owner who lent the session. */
export function principalNow(parts: Parts, { maker, workspaceId, lentBy }: NamedPrincipal): Principal | undefined {
  const [kind, id = ''] = maker.split(' ')
  if (kind === 'key') return keyNow(parts, id)
  if (kind === 'agent') return agentNow(parts, id)
  const isEnded = lentBy !== undefined && !isStillLent(parts.catalog, { workspaceId, makerIds: lentBy })
  const here = kind === 'user' && !isEnded ? personOf(parts.catalog, workspaceId, id) : undefined
  if (here === undefined) return undefined
  const { name: label } = here.person
  const bound = { ...boundBy(here, SCOPES, null), ...(lentBy && { lentBy }) }
  return { kind: 'session', id: LATER, label, workspaceId, ...bound, expiresAt: null }
}

function keyNow({ catalog, clock }: Parts, id: string): Principal | undefined {
  const key = catalog.keys.findById(id)
  return key !== undefined && isUsable(key, clock()) ? principalOfKey({ catalog }, key) : undefined
}

function agentNow({ catalog }: Parts, id: string): Principal | undefined {
  const agent = catalog.agents.findConnected(id)
  const here = agent && personOf(catalog, agent.workspaceId, agent.userId)
  if (agent === undefined || here === undefined) return undefined
  const { clientName: client, scopes, sites, workspaceId, expiresAt } = agent
  return { kind: 'agent', id, label: here.person.name, client, workspaceId, ...boundBy(here, scopes, sites), expiresAt }
}
