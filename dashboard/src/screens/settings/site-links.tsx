// The active links to the past of a site, with a button to end one. "Open" in the history of a page makes them.

import { api, dataOf, type Site, type SiteLink } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { formatTime } from '../../format.js'
import { Age } from '../../parts/states/age.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { AwaitList } from '../../parts/states/await.js'
import { Button } from '../../parts/controls/button.js'

export function SiteLinks({ site }: { site: Site }) {
  const links = useList<SiteLink>(`links of ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/links', { params: { path: { id: site.id }, query: cursor }, signal }),
  )
  const may = useMay()
  const end = async (linkId: string) => {
    try {
      dataOf(await api.DELETE('/sites/{id}/links/{linkId}', { params: { path: { id: site.id, linkId } } }))
      notify('The link is ended.')
      links.reload()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const toRow = ({ id, commit, author, createdAt, expiresAt }: SiteLink) => ({
    key: id,
    cells: [<code>{commit.slice(0, 10)}</code>, author, <Age of={createdAt} />, formatTime(expiresAt)],
    actions: may('write') && (
      <Button aria-label={`End the link to ${commit.slice(0, 10)}`} onClick={() => void end(id)}>
        End
      </Button>
    ),
  })
  return (
    <section class="panel">
      <h3>Links to the past</h3>
      <p class="hint">“Open” in the history of the site or of a page makes one. Everyone who has it can look.</p>
      <AwaitList of={links} moreLabel="More links" empty={<p class="hint">There are no links.</p>}>
        {(entries) => (
          <Table
            label="Links to the past"
            columns={['Commit', 'Author', 'Made', 'Expires']}
            headingAt={0}
            rows={entries.map(toRow)}
          />
        )}
      </AwaitList>
    </section>
  )
}
