// One change request in a list: its title, who made it, when, and how it stands.

import type { ChangeRequest, Site } from '../../../api/client.js'
import { formatTime, nameOfSite } from '../../../format.js'
import { Age } from '../../../parts/states/age.js'
import { Avatar } from '../../../parts/states/avatar.js'
import { Badge } from '../../../parts/states/badge.js'
import { isApproved, STATE_LOOKS, STATE_WORDS } from '../words.js'

interface ReviewRowProps {
  site: Pick<Site, 'slug' | 'name'>
  request: ChangeRequest
  /** Names the site, in a list of several. */
  isOfMany?: boolean
}

export function ReviewRow({ site, request, isOfMany = false }: ReviewRowProps) {
  const { id, number, title, author, state, updatedAt, changesAsked, publishAt, heldAt, heldReason } = request
  return (
    <li class="review-row">
      <Avatar name={author} />
      <div class="named">
        <a href={`/sites/${site.slug}/reviews/${id}`} dir="auto">
          {title}
        </a>
        <span class="hint">
          #{number} by <bdi>{author}</bdi>, <Age of={updatedAt} />
          {isOfMany && (
            <>
              {' '}
              in <bdi>{nameOfSite(site)}</bdi>
            </>
          )}
        </span>
        {heldReason !== null && <span class="hint wrong">Not published at its time: {heldReason}</span>}
      </div>
      {publishAt !== null && heldAt === null && <Badge state="info">{formatTime(publishAt)}</Badge>}
      {heldAt !== null && <Badge state="danger">Held</Badge>}
      {state === 'review' && isApproved(request) && <Badge state="ok">Approved</Badge>}
      {changesAsked && <Badge state="danger">Changes asked</Badge>}
      <Badge state={STATE_LOOKS[state]}>{STATE_WORDS[state]}</Badge>
    </li>
  )
}
