// The comments of a change request as a guest reads them: each thread with its answers, and forms where the site takes comments of guests.

import { useState } from 'preact/hooks'
import { Said } from '../../parts/comments/said.js'
import { Button } from '../../parts/controls/button.js'
import type { GuestComment, GuestReview } from './guest-api.js'
import { GuestForm } from './guest-form.js'

interface GuestCommentsProps {
  token: string
  review: GuestReview
  onWritten: (made: GuestComment) => void
}

export function GuestComments({ token, review, onWritten }: GuestCommentsProps) {
  const [name, setName] = useState('')
  const [answered, setAnswered] = useState<string>()
  const { comments, mayComment } = review
  const threads = comments.filter(({ inReplyTo }) => inReplyTo === null)
  const form = { token, review, name, onName: setName }
  return (
    <section aria-label="Comments">
      <h2>Comments</h2>
      {threads.length === 0 && <p class="hint">Nobody has commented yet.</p>}
      {threads.map((first) => (
        <article key={first.id} class="panel guest-thread" aria-label={`Comment ${first.number}`}>
          <Said comment={first} />
          {comments
            .filter(({ inReplyTo }) => inReplyTo === first.id)
            .map((answer) => (
              <Said key={answer.id} comment={answer} />
            ))}
          {mayComment && answered !== first.id && (
            <Button kind="quiet" isSmall onClick={() => setAnswered(first.id)}>
              Answer
            </Button>
          )}
          {answered === first.id && (
            <GuestForm
              {...form}
              inReplyTo={first.id}
              onWritten={(made) => {
                setAnswered(undefined)
                onWritten(made)
              }}
            />
          )}
        </article>
      ))}
      {mayComment ? (
        <GuestForm {...form} onWritten={onWritten} />
      ) : (
        <p class="hint">This site takes no comments of guests. Answer whoever sent you the link.</p>
      )}
    </section>
  )
}
