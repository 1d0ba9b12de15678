// The active links to the past of a site, with a button to end one. "Open" in the history of a page makes them.

import { api, dataOf, type Site, type SiteLink } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { formatTime } from '../../format.js'
import { Age } from '../../parts/age.js'
import { useMay } from '../../parts/allowed.js'
import { DataTable } from '../../parts/data-table.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { AwaitList } from '../../parts/state.js'

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
      <button type="button" aria-label={`End the link to ${commit.slice(0, 10)}`} onClick={() => void end(id)}>
        End
      </button>
    ),
  })
  return (
    <section class="panel">
      <h3>Links to the past</h3>
      <AwaitList of={links} moreLabel="More links" empty={<p class="hint">There are no links.</p>}>
        {(entries) => (
          <DataTable
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
