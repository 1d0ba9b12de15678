// The people who reach this site, each with the role that counts here. Members are managed on their own screen.

import { api, type Member } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Table } from '../../parts/lists/table.js'
import { MAY } from '../../parts/rights/roles.js'
import { AwaitList } from '../../parts/states/await.js'
import { PersonName } from '../members/person-name.js'
import type { PartProps } from './settings.js'

/** One request lists so many members. */
const MAX_LISTED = 1000

export function PeoplePart({ site, me }: PartProps) {
  const members = useList<Member>(`people of ${site.id}`, (cursor, signal) =>
    api.GET('/members', { params: { query: { limit: MAX_LISTED, ...cursor } }, signal }),
  )
  return (
    <>
      <section class="panel">
        <div class="bar">
          <p class="hint grow">Everybody who can reach this site here. A role counts for all sites, or for some.</p>
          <LinkButton kind="main" icon="people" href="/members">
            Manage people
          </LinkButton>
        </div>
        <AwaitList of={members} moreLabel="More people" empty={<p class="hint">Nobody has an account yet.</p>}>
          {(entries) => (
            <Table
              label="People of this site"
              columns={['Name', 'Role', 'Reaches']}
              headingAt={0}
              rows={entries
                .filter(({ sites }) => reaches(sites, site.id))
                .map((member) => toRow(member, me.person?.id))}
            />
          )}
        </AwaitList>
      </section>
    </>
  )
}

function reaches(sites: Member['sites'], id: string): boolean {
  return sites === null || sites.includes(id)
}

function toRow(member: Member, ownId: string | undefined) {
  const { id, role, sites } = member
  return {
    key: id,
    cells: [
      <PersonName name={member.name} isYou={id === ownId} />,
      <div class="long-text">
        {role}
        <div class="hint">{MAY[role]}</div>
      </div>,
      sites === null ? 'all sites' : sites.length === 1 ? 'this site alone' : 'some sites',
    ],
  }
}
