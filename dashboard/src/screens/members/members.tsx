// The people of the workspace, and the invitations that are open.

import { useState } from 'preact/hooks'
import { api, type Invitation, type Me, type Member, type NewInvitation } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Dialog } from '../../parts/dialog.js'
import { AwaitList, Command, Empty } from '../../parts/state.js'
import { ChangeRole } from './change-role.js'
import { CreateInvitation } from './create-invitation.js'
import { InvitationTable } from './invitation-table.js'
import { MailDomains } from './mail-domains.js'
import { MemberSignIn } from './member-sign-in.js'
import { MemberTable } from './member-table.js'
import { RemoveMember } from './remove-member.js'
import { isOwner } from './role-choice.js'

type Shown =
  | { is: 'inviting' }
  | { is: 'invited'; made: NewInvitation }
  | { is: 'changing'; member: Member }
  | { is: 'removing'; member: Member }
  | { is: 'signing in'; member: Member }

export function MembersScreen({ me }: { me: Me }) {
  const [shown, setShown] = useState<Shown>()
  const members = useList<Member>('members', (cursor, signal) =>
    api.GET('/members', { params: { query: cursor }, signal }),
  )
  const invitations = useList<Invitation>('invitations', (cursor, signal) =>
    api.GET('/invitations', { params: { query: cursor }, signal }),
  )
  useShortcuts({ n: () => setShown({ is: 'inviting' }) })
  useTitle('Members')
  const close = () => setShown(undefined)
  const changed = () => {
    close()
    members.reload()
  }
  const invited = (made: NewInvitation) => {
    setShown({ is: 'invited', made })
    invitations.reload()
  }
  return (
    <>
      <div class="bar">
        <h1 class="grow">Members</h1>
        <button type="button" class="main" onClick={() => setShown({ is: 'inviting' })}>
          Invite a person
        </button>
      </div>
      <AwaitList of={members} moreLabel="More members" empty={<NoMembers />}>
        {(entries) => (
          <MemberTable
            me={me}
            members={entries}
            onChange={(member) => setShown({ is: 'changing', member })}
            onRemove={(member) => setShown({ is: 'removing', member })}
            onSignIn={(member) => setShown({ is: 'signing in', member })}
          />
        )}
      </AwaitList>
      <div class="bar">
        <h2>Open invitations</h2>
      </div>
      <AwaitList of={invitations} moreLabel="More invitations" empty={<p class="hint">There are none.</p>}>
        {(entries) => <InvitationTable invitations={entries} onRevoked={invitations.reload} />}
      </AwaitList>
      {isOwner(me) && <MailDomains />}
      {shown?.is === 'inviting' && <CreateInvitation me={me} onClose={close} onCreated={invited} />}
      {shown?.is === 'invited' && <ShowInvitation made={shown.made} onClose={close} />}
      {shown?.is === 'changing' && <ChangeRole me={me} member={shown.member} onClose={close} onDone={changed} />}
      {shown?.is === 'removing' && (
        <RemoveMember
          member={shown.member}
          others={(members.data?.entries ?? []).filter(({ role }) => role !== 'owner' || isOwner(me))}
          onClose={close}
          onDone={changed}
        />
      )}
      {shown?.is === 'signing in' && <MemberSignIn me={me} member={shown.member} onClose={close} />}
    </>
  )
}

function NoMembers() {
  return (
    <Empty title="Nobody has an account yet" command="palimpsest login-link">
      <p>Invite a person here, or make a sign-in link on the machine that runs the service:</p>
    </Empty>
  )
}

function ShowInvitation({ made, onClose }: { made: NewInvitation; onClose: () => void }) {
  return (
    <Dialog title="The invitation" onClose={onClose} wide>
      <p>Send this link to the person. It works once, and is shown only now.</p>
      <Command text={made.url} label="The link" />
    </Dialog>
  )
}
