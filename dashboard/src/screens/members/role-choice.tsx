// The choice of a role and its sites, for members and invitations.

import type { Me } from '../../api/client.js'
import { RadioList } from '../../parts/controls/radio-list.js'
import { type Role, ROLES, wordRole } from '../../parts/rights/roles.js'
import { SiteChoice } from '../keys/site-choice.js'

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
      <RadioList
        label="Role"
        value={chosen.role}
        from={offersOwner ? ROLES : ROLES.filter((role) => role !== 'owner')}
        labelOf={wordRole}
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
