// Tells of drafts by others: that somebody else has one of this page, or that this is the draft of somebody else.

import type { ChangeRequest, Page, Site } from '../../../api/client.js'
import { Age } from '../../../parts/states/age.js'
import type { OpenPage } from '../open-page.js'

interface DraftNoticeProps {
  site: Site
  opened: OpenPage
}

export function DraftNotice({ site, opened: { page, request, others } }: DraftNoticeProps) {
  if (request !== undefined && !request.mine)
    return (
      <p class="offer" role="status">
        <span>
          This is the draft of <strong dir="auto">{request.author}</strong>. What you write goes into it.
        </span>
        <a href={`/sites/${site.slug}/pages/${page.id}`}>Leave it</a>
      </p>
    )
  return (
    <>
      {others.map((draft) => (
        <p key={draft.id} class="offer" role="status">
          <span>
            <strong dir="auto">{draft.author}</strong> has a draft of this page, <Age of={draft.createdAt} />.
          </span>
          <a href={addressOf(site, page, draft)}>{draft.state === 'review' ? 'Review it' : 'Look at it'}</a>
        </p>
      ))}
    </>
  )
}

function addressOf(site: Site, page: Page, { id, state }: ChangeRequest): string {
  return state === 'review'
    ? `/sites/${site.slug}/reviews/${id}`
    : `/sites/${site.slug}/pages/${page.id}?changeRequest=${id}`
}
