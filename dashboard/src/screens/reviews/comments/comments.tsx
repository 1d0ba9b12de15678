// The comments below the changes of a change request: those on all of it, and those on what is not shown. A form writes one on all of it.

import { Allowed } from '../../../parts/rights/allowed.js'
import { Await } from '../../../parts/states/await.js'
import type { Loaded } from '../../../api/use-loaded.js'
import { type Review, shownPaths } from '../use-review.js'
import { CommentForm } from './comment-form.js'
import { Place } from './place.js'
import { Thread } from './thread.js'
import type { CommentThread } from './threads.js'

interface CommentsProps {
  review: Review
  threads: Loaded<readonly CommentThread[]>
  /** Called after each change of them: it may have changed the state of the request. */
  onChanged: () => void
}

export function Comments({ review, threads, onChanged }: CommentsProps) {
  const { request } = review
  const above = shownPaths(review)
  return (
    <section class="review-part" aria-label="Comments">
      <h3>Comments on the whole change</h3>
      <Await of={threads}>
        {(all) => {
          const here = all.filter(({ first: { path } }) => path === null || !above.has(path))
          if (here.length === 0) return <p class="hint">{nothingSaid(all)}</p>
          return here.map((thread) => (
            <Thread
              key={thread.first.id}
              request={request}
              thread={thread}
              place={<Place of={thread.first} path={thread.first.path ?? undefined} />}
              onChanged={onChanged}
            />
          ))
        }}
      </Await>
      {request.closedAt === null && (
        <Allowed to="try">
          <CommentForm review={review} onWritten={onChanged} />
        </Allowed>
      )}
    </section>
  )
}

function nothingSaid(all: readonly CommentThread[]): string {
  return all.length === 0 ? 'Nobody has commented yet.' : 'Nobody has commented on all of it yet.'
}
