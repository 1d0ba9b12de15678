// The table of members with their roles, the sites of these, and the sources.

import type { Me, Member } from '../../api/client.js'
import { Age } from '../../parts/states/age.js'
import { MAY } from '../../parts/rights/roles.js'
import { Table } from '../../parts/lists/table.js'
import { PersonName } from './person-name.js'
import { isOwner } from './role-choice.js'
import type { SiteNames } from '../../api/use-site-names.js'
import { Button, LinkButton } from '../../parts/controls/button.js'

interface MemberTableProps {
  me: Me
  namesOf: SiteNames
  members: readonly Member[]
  onChange: (member: Member) => void
  onRemove: (member: Member) => void
  onSignIn: (member: Member) => void
}

export function MemberTable({ me, namesOf, members, onChange, onRemove, onSignIn }: MemberTableProps) {
  const rows = members.map((member) => ({
    key: member.id,
    cells: [
      <PersonName name={member.name} isYou={member.id === me.person?.id} />,
      <div class="long-text">
        {member.role}
        <div class="hint">{MAY[member.role]}</div>
        <div class="hint">{namesOf(member.sites)}</div>
      </div>,
      <div class="long-text">{member.sources.map(({ source }) => wordsFor(source)).join(', ')}</div>,
      <Age of={member.joinedAt} />,
    ],
    actions: (member.role !== 'owner' || isOwner(me)) && (
      <>
        <Button aria-label={`Change role of ${member.name}`} onClick={() => onChange(member)}>
          Change role
        </Button>
        {member.id === me.person?.id ? (
          <LinkButton href="/profile">Leave</LinkButton>
        ) : (
          <>
            <Button aria-label={`Sign-in of ${member.name}`} onClick={() => onSignIn(member)}>
              Sign-in
            </Button>
            <Button aria-label={`Remove ${member.name}`} onClick={() => onRemove(member)}>
              Remove
            </Button>
          </>
        )}
      </>
    ),
  }))
  return <Table label="Members" columns={['Name', 'Role', 'Role from', 'Joined']} headingAt={0} rows={rows} />
}

function wordsFor(source: string): string {
  if (source === 'hand') return 'an admin'
  if (source === 'link') return 'a sign-in link'
  if (source === 'domain') return 'the mail domain'
  return source === 'invitation' ? 'an invitation' : source
}
