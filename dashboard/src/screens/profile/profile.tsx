// My profile: the name, the ways to sign in, the sessions by device, and leaving.

import type { Me } from '../../api/client.js'
import { useTitle } from '../../browser/title.js'
import { Empty } from '../../parts/state.js'
import { Identities } from './identities.js'
import { LeaveWorkspace } from './leave-workspace.js'
import { MyName } from './my-name.js'
import { MyPasskeys } from './my-passkeys.js'
import { MySessions } from './my-sessions.js'

export function ProfileScreen({ me, onChanged }: { me: Me; onChanged: () => void }) {
  useTitle('My profile')
  if (me.person === null)
    return (
      <Empty title="This session has no profile">
        <p>It began before people had accounts. Sign out, and come in with a new link: then you have one.</p>
      </Empty>
    )
  if (me.isBorrowed)
    return (
      <>
        <Empty title="A link of an owner opened this session">
          <p>
            It is for the workspace {me.workspace.name} alone, and shows and changes nothing of your account. Sign out,
            and come in with a passkey or an account of your own. Without one, ask the operator to run “palimpsest
            login-link”.
          </p>
        </Empty>
        <LeaveWorkspace me={me} />
      </>
    )
  return (
    <>
      <h1>My profile</h1>
      <p class="hint">
        Your role in the workspace {me.workspace.name}: {me.person.role}
      </p>
      <MyName name={me.person.name} onChanged={onChanged} />
      <MyPasskeys />
      <Identities />
      <MySessions />
      <LeaveWorkspace me={me} />
    </>
  )
}
