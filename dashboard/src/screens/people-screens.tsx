// The screens about people, their keys and agents. They are loaded when a person first opens one of them.

import type { Me } from '../api/client.js'
import type { PeoplePath } from '../frame/addresses.js'
import { AgentsScreen } from './agents/agents.js'
import { AgentsWorkScreen } from './agents-work/agents-work.js'
import { AuditScreen } from './audit/audit.js'
import { KeysScreen } from './keys/keys.js'
import { MembersScreen } from './members/members.js'
import { ProfileScreen } from './profile/profile.js'

interface PeopleScreenProps {
  path: PeoplePath
  me: Me
  onMeChanged: () => void
}

export function PeopleScreen({ path, me, onMeChanged }: PeopleScreenProps) {
  if (path === '/agents') return <AgentsScreen />
  if (path === '/agents/work') return <AgentsWorkScreen />
  if (path === '/audit') return <AuditScreen />
  if (path === '/keys') return <KeysScreen me={me} />
  return path === '/members' ? <MembersScreen me={me} /> : <ProfileScreen me={me} onChanged={onMeChanged} />
}
