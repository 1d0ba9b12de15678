// The drafts of a site, and what is under review there: changes that are not live. Nothing is shown if there are none.

import { api, type ChangeRequest, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { formatCount } from '../../format.js'
import { Button, LinkButton } from '../../parts/controls/button.js'
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
    <Disclosure class="drafts" title={titleOf(entries, nextCursor !== null)}>
      <ul>
        {entries.map((request) => (
          <DraftRow key={request.id} site={site} request={request} />
        ))}
      </ul>
      {nextCursor !== null && <Button onClick={requests.more}>More of them</Button>}
    </Disclosure>
  )
}

/** Names drafts and reviews by their numbers, such as `2 drafts, 1 under review`. */
function titleOf(requests: readonly ChangeRequest[], isMore: boolean): string {
  const reviewed = requests.filter(({ state }) => state === 'review').length
  const drafts = requests.length - reviewed
  const parts = [
    ...(drafts > 0 ? [formatCount(drafts, 'draft')] : []),
    ...(reviewed > 0 ? [`${reviewed} under review`] : []),
    ...(isMore ? ['and more'] : []),
  ]
  return parts.join(', ')
}

function DraftRow({ site, request }: { site: Site; request: ChangeRequest }) {
  return (
    <li class="bar">
      <LinkButton kind="quiet" class="named grow" href={addressOf(site, request)}>
        <bdi>{request.title}</bdi>
      </LinkButton>
      <Badge state="draft">{request.state === 'review' ? 'Waits for review' : 'Draft'}</Badge>
      <span class="hint">
        {request.author}, <Age of={request.updatedAt} />
      </span>
    </li>
  )
}

/** Returns the path of the editor of the page, or of the review for what is no draft of one page. */
function addressOf({ slug }: Site, { id, page, mine }: ChangeRequest): string {
  if (page === null) return `/sites/${slug}/reviews/${id}`
  return `/sites/${slug}/pages/${page}${mine ? '' : `?changeRequest=${id}`}`
}
