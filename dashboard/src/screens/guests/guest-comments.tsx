// The comments of a change request as a guest reads them: each thread with its answers, and forms where the site takes comments of guests.

import { useState } from 'preact/hooks'
import { FoldResolved } from '../../parts/comments/fold-resolved.js'
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
      {threads.map((first) => {
        const answers = comments.filter(({ inReplyTo }) => inReplyTo === first.id)
        return (
          <article key={first.id} class="panel thread" aria-label={`Comment ${first.number}`}>
            <FoldResolved first={first} answers={answers.length}>
              {[first, ...answers].map((each) => (
                <Said key={each.id} comment={each} />
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
            </FoldResolved>
          </article>
        )
      })}
      {mayComment ? (
        <GuestForm {...form} onWritten={onWritten} />
      ) : (
        <p class="hint">This site takes no comments of guests. Answer whoever sent you the link.</p>
      )}
    </section>
  )
}
