// The links to a change request that have not ended, each with a button that ends it.

import { api, dataOf, type SiteLink } from '../../api/client.js'
import { type LoadedList, useList } from '../../api/use-list.js'
import { formatTime } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Age } from '../../parts/states/age.js'
import { AwaitList } from '../../parts/states/await.js'

export function useGuestLinks(request: string): LoadedList<SiteLink> {
  return useList<SiteLink>(`links to ${request}`, (cursor, signal) =>
    api.GET('/change-requests/{id}/links', { params: { path: { id: request }, query: cursor }, signal }),
  )
}

export function GuestLinks({ request, links }: { request: string; links: LoadedList<SiteLink> }) {
  const end = async (linkId: string) => {
    try {
      const path = { id: request, linkId }
      dataOf(await api.DELETE('/change-requests/{id}/links/{linkId}', { params: { path } }))
      notify('The link is ended.')
      links.reload()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const toRow = ({ id, author, createdAt, expiresAt }: SiteLink) => ({
    key: id,
    cells: [author, <Age of={createdAt} />, formatTime(expiresAt)],
    actions: (
      <Button
        aria-label={`End the link by ${author}, open until ${formatTime(expiresAt)}`}
        onClick={() => void end(id)}
      >
        End
      </Button>
    ),
  })
  return (
    <AwaitList of={links} moreLabel="More links" empty={<p class="hint">No link to this change is open.</p>}>
      {(entries) => (
        <Table label="Open links" columns={['Made by', 'Made', 'Ends']} headingAt={0} rows={entries.map(toRow)} />
      )}
    </AwaitList>
  )
}
