// The comments on one page or file, beside its change, in the order of the page, and a form for a new one.

import { useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button.js'
import { Allowed } from '../../../parts/rights/allowed.js'
import { formatCount } from '../../../format.js'
import { Badge } from '../../../parts/states/badge.js'
import type { Review } from '../use-review.js'
import { CommentForm } from './comment-form.js'
import { Place } from './place.js'
import { placeThreads } from './place-in-page.js'
import { Thread } from './thread.js'
import { type CommentThread, countOpen, threadsOn } from './threads.js'

/** The threads of a review, for the parts that show those on them. */
export interface Discussion {
  /** Undefined until they are read. */
  threads: readonly CommentThread[] | undefined
  onChanged: () => void
}

interface CommentsHereProps {
  review: Review
  discussion: Discussion
  /** A page, with a slash in front, or a file. */
  path: string
  /** The page with the change; null for a file, and for a page that the change removes. */
  html?: string | null
  /** Whether the change removes it: then it takes no comments. */
  isRemoved: boolean
}

export function CommentsHere({ review, discussion, path, html = null, isRemoved }: CommentsHereProps) {
  const [isWriting, setWriting] = useState(false)
  const { request } = review
  const { threads, onChanged } = discussion
  const isOpen = request.closedAt === null && !isRemoved
  return (
    <section class="comments-here" aria-label={`Comments on ${path}`}>
      {placeThreads(threadsOn(path, threads), html).map(({ heading, ...thread }) => (
        <Thread
          key={thread.first.id}
          request={request}
          thread={thread}
          place={<Place of={thread.first} heading={heading} isPlaced={html !== null} />}
          onChanged={onChanged}
        />
      ))}
      {isOpen && (
        <Allowed to="try">
          {isWriting ? (
            <CommentForm
              review={review}
              path={path}
              onWritten={() => {
                setWriting(false)
                onChanged()
              }}
            />
          ) : (
            <Button icon="edit" isSmall aria-label={`Comment on ${path}`} onClick={() => setWriting(true)}>
              Comment
            </Button>
          )}
        </Allowed>
      )}
    </section>
  )
}

/** Counts the open ones, for the title of a folded part. */
export function OpenThreads({ on, of: { threads } }: { on: string; of: Discussion }) {
  const open = countOpen(threadsOn(on, threads))
  return open === 0 ? null : <Badge state="info">{formatCount(open, 'open comment')}</Badge>
}
