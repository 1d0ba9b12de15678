// The inviter as of now: the name, and whether such an invitation could still be made.

import type { Invitation } from '../../catalog/people/invitations.js'
import { rightsOfMaker } from '../access/maker.js'
import type { Services } from '../context/services.js'
import { maySetRights } from './protected-workspace.js'
import { mayChange } from './roles.js'

type Parts = Pick<Services, 'catalog' | 'clock'>

export interface Inviter {
  label: string
  /** Whether the inviter may still give these rights. */
  mayInvite: boolean
}

export function findInviter(services: Parts, { workspaceId, invitedBy, role, sites }: Invitation): Inviter {
  const here = rightsOfMaker(services, workspaceId, invitedBy).find((rights) => rights.workspaceId === workspaceId)
  const mayInvite =
    here !== undefined &&
    here.scopes.includes('admin') &&
    mayChange({ principal: here }, { role, sites }) &&
    maySetRights(services.catalog, workspaceId, here, { role, sites })
  return { label: labelOf(services, invitedBy), mayInvite }
}

function labelOf({ catalog }: Parts, invitedBy: string): string {
  const [kind = '', id = ''] = invitedBy.split(' ')
  if (kind === 'user') return catalog.users.find(id)?.name ?? 'somebody'
  if (kind === 'key') return catalog.keys.findById(id)?.label ?? 'a key'
  return kind === 'operator' ? 'the operator' : 'an owner'
}
