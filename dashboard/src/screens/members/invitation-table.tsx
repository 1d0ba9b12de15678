// The table of open invitations, with taking them back.

import { api, dataOf, type Invitation } from '../../api/client.js'
import { formatTime } from '../../format.js'
import { MAY } from '../../parts/rights/roles.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import type { SiteNames } from '../../api/use-site-names.js'
import { Button } from '../../parts/controls/button.js'

interface InvitationTableProps {
  invitations: readonly Invitation[]
  namesOf: SiteNames
  onRevoked: () => void
}

export function InvitationTable({ invitations, namesOf, onRevoked }: InvitationTableProps) {
  const revoke = async (id: string) => {
    try {
      dataOf(await api.DELETE('/invitations/{id}', { params: { path: { id } } }))
      notify('The invitation is taken back.')
      onRevoked()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const rows = invitations.map(({ id, role, sites, email, invitedBy, expiresAt }) => {
    const whom = email ?? 'anybody with the link'
    return {
      key: id,
      cells: [
        <div class="long-text">{whom}</div>,
        <div class="long-text">
          {role}
          <div class="hint">{MAY[role]}</div>
        </div>,
        <div class="long-text">{namesOf(sites)}</div>,
        <div class="long-text">{invitedBy}</div>,
        formatTime(expiresAt),
      ],
      actions: (
        <Button aria-label={`Take back the invitation of ${whom} as ${role}`} onClick={() => void revoke(id)}>
          Take back
        </Button>
      ),
    }
  })
  return <Table label="Invitations" columns={['For', 'Role', 'Sites', 'From', 'Expires']} headingAt={0} rows={rows} />
}
