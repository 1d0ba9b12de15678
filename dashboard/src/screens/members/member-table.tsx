// The table of members with their roles, the sites of these, and the sources.

import type { Me, Member } from '../../api/client.js'
import { Age } from '../../parts/age.js'
import { DataTable } from '../../parts/data-table.js'
import { isOwner } from './role-choice.js'
import { useSiteNames } from './use-site-names.js'

interface MemberTableProps {
  me: Me
  members: readonly Member[]
  onChange: (member: Member) => void
  onRemove: (member: Member) => void
  onSignIn: (member: Member) => void
}

export function MemberTable({ me, members, onChange, onRemove, onSignIn }: MemberTableProps) {
  const namesOf = useSiteNames()
  const rows = members.map((member) => ({
    key: member.id,
    cells: [
      <div class="long-text">
        {member.name}
        {member.id === me.person?.id && <span class="hint"> (you)</span>}
      </div>,
      <div class="long-text">
        {member.role}
        <div class="hint">{namesOf(member.sites)}</div>
      </div>,
      <div class="long-text">{member.sources.map(({ source }) => wordsFor(source)).join(', ')}</div>,
      <Age of={member.joinedAt} />,
    ],
    actions: (member.role !== 'owner' || isOwner(me)) && (
      <>
        <button type="button" aria-label={`Change role of ${member.name}`} onClick={() => onChange(member)}>
          Change role
        </button>
        {member.id === me.person?.id ? (
          <a class="button" href="/profile">
            Leave
          </a>
        ) : (
          <>
            <button type="button" aria-label={`Sign-in of ${member.name}`} onClick={() => onSignIn(member)}>
              Sign-in
            </button>
            <button type="button" aria-label={`Remove ${member.name}`} onClick={() => onRemove(member)}>
              Remove
            </button>
          </>
        )}
      </>
    ),
  }))
  return <DataTable label="Members" columns={['Name', 'Role', 'Role from', 'Joined']} headingAt={0} rows={rows} />
}

function wordsFor(source: string): string {
  if (source === 'hand') return 'an admin'
  if (source === 'link') return 'a sign-in link'
  if (source === 'domain') return 'the mail domain'
  return source === 'invitation' ? 'an invitation' : source
}
