// The comments beside the changes of a change request: threads with their answers, and a form for a new one.

import '../../../styles/guests.css'
import type { Comment } from './comment-api.js'
import { api } from '../../../api/client.js'
import { useList } from '../../../api/use-list.js'
import { Allowed } from '../../../parts/rights/allowed.js'
import { AwaitList } from '../../../parts/states/await.js'
import type { Review } from '../use-review.js'
import { CommentForm } from './comment-form.js'
import { Thread } from './thread.js'

interface CommentsProps {
  review: Review
  /** Called once a comment changed the state of the request. */
  onChanged: () => void
}

export function Comments({ review, onChanged }: CommentsProps) {
  const { request } = review
  const comments = useList<Comment>(`comments on ${request.id} at ${request.head}`, (cursor, signal) =>
    api.GET('/change-requests/{id}/comments', { params: { path: { id: request.id }, query: cursor }, signal }),
  )
  const show = () => {
    comments.reload()
    onChanged()
  }
  const isOpen = request.closedAt === null
  return (
    <section class="review-part" aria-label="Comments">
      <h3>Comments</h3>
      <AwaitList of={comments} moreLabel="More comments" empty={<p class="hint">Nobody has commented yet.</p>}>
        {(entries) =>
          entries
            .filter(({ inReplyTo }) => inReplyTo === null)
            .map((first) => (
              <Thread
                key={first.id}
                request={request}
                first={first}
                answers={entries.filter(({ inReplyTo }) => inReplyTo === first.id)}
                onChanged={show}
              />
            ))
        }
      </AwaitList>
      {isOpen && (
        <Allowed to="try">
          <CommentForm review={review} onWritten={show} />
        </Allowed>
      )}
    </section>
  )
}
