// One change request: what it changes, as it is and as it will be, what is wrong with it, and what can be done.

import '../../styles/guests.css'
import '../../styles/history.css'
import '../../styles/reviews.css'
import { type Site } from '../../api/client.js'
import { useTitle } from '../../browser/title.js'
import { LinkButton } from '../../parts/controls/button.js'
import { Age } from '../../parts/states/age.js'
import { Avatar } from '../../parts/states/avatar.js'
import { Await } from '../../parts/states/await.js'
import { Badge } from '../../parts/states/badge.js'
import { formatNames, nameOfSite } from '../../format.js'
import { ChangedPages } from './changed-pages.js'
import { Comments } from './comments/comments.js'
import { useThreads } from './comments/threads.js'
import { Conflicts } from './conflicts.js'
import { OtherChanges } from './other-changes.js'
import { ReviewActs } from './review-acts.js'
import { ReviewChecks } from './review-checks.js'
import { ScheduleNote } from './schedule/schedule-note.js'
import { type Review, useReview } from './use-review.js'
import { isApproved, STATE_LOOKS, STATE_WORDS } from './words.js'

export function ReviewScreen({ site, requestId }: { site: Site; requestId: string }) {
  const review = useReview(site, requestId)
  useTitle('Review', nameOfSite(site))
  return <Await of={review}>{(data) => <Opened site={site} review={data} onChanged={review.reload} />}</Await>
}

interface OpenedProps {
  site: Site
  review: Review
  onChanged: () => void
}

function Opened({ site, review, onChanged }: OpenedProps) {
  const threads = useThreads(review.request)
  const discussed = () => {
    threads.reload()
    onChanged()
  }
  const discussion = { threads: threads.data, onChanged: discussed }
  return (
    <>
      <Head site={site} review={review} />
      <ScheduleNote request={review.request} onChanged={onChanged} />
      <ReviewActs site={site} review={review} onChanged={onChanged} />
      <Conflicts review={review} onChanged={onChanged} />
      <ChangedPages site={site} review={review} discussion={discussion} />
      <OtherChanges review={review} discussion={discussion} />
      <ReviewChecks review={review} />
      <Comments review={review} threads={threads} onChanged={discussed} />
    </>
  )
}

function Head({ site, review: { request } }: { site: Site; review: Review }) {
  const { number, title, author, makers, state, createdAt, published, approvals, head } = request
  const others = makers.filter(({ label }) => label !== author).map(({ label }) => label)
  const approvers = approvals.filter(({ commit }) => commit === head).map(({ label }) => label)
  return (
    <header class="review-head">
      <LinkButton kind="quiet" icon="back" href={`/sites/${site.slug}/reviews`}>
        Reviews
      </LinkButton>
      <div class="bar">
        <Avatar name={author} isLarge />
        <div class="grow">
          <h2 dir="auto">{title}</h2>
          <p class="hint">
            #{number} by <bdi>{author}</bdi>
            {others.length > 0 && (
              <>
                {' '}
                with <bdi>{formatNames(others)}</bdi>
              </>
            )}
            , <Age of={createdAt} />
            {approvers.length > 0 && isApproved(request) && (
              <>
                . Approved by <bdi>{formatNames(approvers)}</bdi>
              </>
            )}
            {published !== null && (
              <>
                . <a href={`/sites/${site.slug}/history`}>In the history</a>
              </>
            )}
          </p>
        </div>
        <Badge state={STATE_LOOKS[state]}>{STATE_WORDS[state]}</Badge>
      </div>
    </header>
  )
}
