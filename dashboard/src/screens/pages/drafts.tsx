// The drafts of a site: pages in change requests, which are not live. Nothing is shown if there is none.

import { api, type ChangeRequest, type Site, sliceOf } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { navigate } from '../../browser/router.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Button } from '../../parts/controls/button.js'
import { notifyFailure } from '../../parts/overlays/notices.js'
import { Age } from '../../parts/states/age.js'
import { Badge } from '../../parts/states/badge.js'
import { Disclosure } from '../../parts/states/disclosure.js'

export function Drafts({ site }: { site: Site }) {
  const requests = useList<ChangeRequest>(`drafts ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/change-requests', { params: { path: { id: site.id }, query: cursor }, signal }),
  )
  const { entries, nextCursor } = requests.data ?? { entries: [], nextCursor: null }
  if (entries.length === 0) return null
  return (
    <Disclosure class="drafts" title={`Drafts (${entries.length}${nextCursor === null ? '' : ' and more'})`}>
      <ul>
        {entries.map((request) => (
          <DraftRow key={request.id} site={site} request={request} />
        ))}
      </ul>
      {nextCursor !== null && <Button onClick={requests.more}>More drafts</Button>}
    </Disclosure>
  )
}

function DraftRow({ site, request }: { site: Site; request: ChangeRequest }) {
  const open = useOneAtATime(async () => {
    try {
      navigate(await editorOf(site, request))
    } catch (error) {
      notifyFailure(error)
    }
  })
  return (
    <li class="bar">
      <Button kind="quiet" class="named grow" onClick={() => void open()}>
        <bdi>{request.title}</bdi>
      </Button>
      <Badge state="draft">{request.state === 'review' ? 'Waits for approval' : 'Draft'}</Badge>
      <span class="hint">
        {request.author}, <Age of={request.updatedAt} />
      </span>
    </li>
  )
}

/** Returns the path of the editor of the first page that the request changes. Throws an error for people. */
async function editorOf(site: Site, { id }: ChangeRequest): Promise<string> {
  const changes = sliceOf(await api.GET('/change-requests/{id}/changes', { params: { path: { id } } }))
  const page = changes.entries.find((change) => change.page !== null)?.page
  if (page == null) throw new Error('This draft changes no page: look at it with a program.')
  return `/sites/${site.slug}/pages/${page.id}?changeRequest=${id}`
}
