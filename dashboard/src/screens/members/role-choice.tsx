// The choice of a role and its sites, for members and invitations.

import type { Me, Member } from '../../api/client.js'
import { RadioGroup } from '../../parts/choice.js'
import { SiteChoice } from '../keys/site-choice.js'

export type Role = Member['role']

const ROLES: readonly Role[] = ['viewer', 'author', 'editor', 'admin', 'owner']
const MAY: Readonly<Record<Role, string>> = {
  viewer: 'reads',
  author: 'reads, and tries changes without publishing them',
  editor: 'publishes',
  admin: 'also manages keys, people and sites',
  owner: 'also manages owners',
}

export interface ChosenRights {
  role: Role
  siteIds: string[]
}

interface RoleChoiceProps {
  offersOwner: boolean
  chosen: ChosenRights
  onChoose: (chosen: ChosenRights) => void
}

export function RoleChoice({ offersOwner, chosen, onChoose }: RoleChoiceProps) {
  return (
    <>
      <RadioGroup
        label="Role"
        value={chosen.role}
        from={offersOwner ? ROLES : ROLES.filter((role) => role !== 'owner')}
        labelOf={(role) => `${role}: ${MAY[role]}`}
        onChoose={(role) => onChoose({ ...chosen, role })}
      />
      {chosen.role !== 'owner' && (
        <SiteChoice chosen={chosen.siteIds} onChoose={(siteIds) => onChoose({ ...chosen, siteIds })} />
      )}
    </>
  )
}

/** Returns the fields of a body. */
export function rightsOf({ role, siteIds }: ChosenRights): { role: Role; sites: string[] | null } {
  return { role, sites: role === 'owner' || siteIds.length === 0 ? null : siteIds }
}

/** A session without a person began before people had accounts: it acts as an owner. */
export function isOwner({ person }: Me): boolean {
  return person === null || person.role === 'owner'
}
