// The inviter as of now: the name, and whether such an invitation could still be made.

import { isUsable } from '../../catalog/keys.js'
import type { Invitation } from '../../catalog/people/invitations.js'
import type { Principal } from '../../model/principal.js'
import { SCOPES } from '../../model/rights/scopes.js'
import { boundBy, personOf } from '../access/person.js'
import type { Services } from '../context/services.js'
import { mayChange } from './roles.js'

type Parts = Pick<Services, 'catalog' | 'clock'>

/** Rights of an inviter that end. */
type Inviting = Pick<Principal, 'kind' | 'person' | 'scopes' | 'sites'>

export interface Inviter {
  label: string
  /** Whether the inviter may still give these rights. */
  mayInvite: boolean
}

export async function findInviter(services: Parts, invitation: Invitation): Promise<Inviter> {
  const { invitedBy, role, sites } = invitation
  const [kind = '', id = ''] = invitedBy.split(' ')
  if (kind !== 'user' && kind !== 'key')
    return { label: kind === 'operator' ? 'the operator' : 'an owner', mayInvite: true }
  const { label, now } =
    kind === 'user' ? findPerson(services, invitation, id) : await findKey(services, invitation, id)
  const mayInvite = now !== undefined && now.scopes.includes('admin') && mayChange({ principal: now }, { role, sites })
  return { label, mayInvite }
}

function findPerson({ catalog }: Parts, { workspaceId }: Invitation, id: string): { label: string; now?: Inviting } {
  const label = catalog.users.find(id)?.name ?? 'somebody'
  const here = personOf(catalog, workspaceId, id)
  return here === undefined ? { label } : { label, now: { kind: 'session', ...boundBy(here, SCOPES, null) } }
}

async function findKey(
  { catalog, clock }: Parts,
  { workspaceId }: Invitation,
  id: string,
): Promise<{ label: string; now?: Inviting }> {
  const key = await catalog.keys.find(workspaceId, id)
  if (key === undefined) return { label: 'a key' }
  const { label, scopes, sites, userId } = key
  if (!isUsable(key, clock())) return { label }
  if (userId === null) return { label, now: { kind: 'key', scopes, sites } }
  const here = personOf(catalog, workspaceId, userId)
  return here === undefined ? { label } : { label, now: { kind: 'key', ...boundBy(here, scopes, sites) } }
}
