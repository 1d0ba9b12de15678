// The people of the workspace, and the invitations that are open.

import { useEffect, useState } from 'preact/hooks'
import { api, type Invitation, type Me, type Member, type NewInvitation } from '../../api/client.js'
import { useSiteNames } from '../../api/use-site-names.js'
import { useList } from '../../api/use-list.js'
import { replaceQuery, useQuery } from '../../browser/router.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { AwaitList } from '../../parts/states/await.js'
import { Command } from '../../parts/states/command.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { ChangeRole } from './change-role.js'
import { CreateInvitation } from './create-invitation.js'
import { InvitationTable } from './invitation-table.js'
import { MailDomains } from './mail-domains.js'
import { MemberSignIn } from './member-sign-in.js'
import { MemberTable } from './member-table.js'
import { RemoveMember } from './remove-member.js'
import { isOwner } from './role-choice.js'
import { Button } from '../../parts/controls/button.js'

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
  const namesOf = useSiteNames()
  useShortcuts({ n: () => setShown({ is: 'inviting' }) })
  useAsked(me, members.data?.entries, setShown)
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
        <Button kind="main" onClick={() => setShown({ is: 'inviting' })}>
          Invite a person
        </Button>
      </div>
      <AwaitList of={members} moreLabel="More members" empty={<NoMembers />}>
        {(entries) => (
          <MemberTable
            me={me}
            namesOf={namesOf}
            members={entries}
            onChange={(member) => setShown({ is: 'changing', member })}
            onRemove={(member) => setShown({ is: 'removing', member })}
            onSignIn={(member) => setShown({ is: 'signing in', member })}
          />
        )}
      </AwaitList>
      <div class="bar part">
        <h2>Open invitations</h2>
      </div>
      <AwaitList of={invitations} moreLabel="More invitations" empty={<p class="hint">There are none.</p>}>
        {(entries) => <InvitationTable invitations={entries} namesOf={namesOf} onRevoked={invitations.reload} />}
      </AwaitList>
      {isOwner(me) && <MailDomains namesOf={namesOf} />}
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

/** Opens what the address asks for, and then forgets it: an invitation, or the role of a person. */
function useAsked(me: Me, members: readonly Member[] | undefined, show: (shown: Shown) => void): void {
  const query = useQuery()
  const isInviting = query.has('invite')
  const person = query.get('person')
  useEffect(() => {
    const member = members?.find(({ id }) => id === person)
    if (isInviting) show({ is: 'inviting' })
    if (member !== undefined && (member.role !== 'owner' || isOwner(me))) show({ is: 'changing', member })
    if (isInviting || (person !== null && members !== undefined)) replaceQuery({ invite: '', person: '' })
  }, [isInviting, person, members])
}

function NoMembers() {
  return (
    <EmptyState title="Nobody has an account yet" command="palimpsest login-link">
      <p>Invite a person here, or make a sign-in link on the machine that runs the service:</p>
    </EmptyState>
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
