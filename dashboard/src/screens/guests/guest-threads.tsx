// Threads of comments as a guest reads them, with an answer where the site takes comments of guests.

import { useState } from 'preact/hooks'
import { FoldResolved } from '../../parts/comments/fold-resolved.js'
import { Said } from '../../parts/comments/said.js'
import { Button } from '../../parts/controls/button.js'
import type { GuestComment, GuestReview } from './guest-api.js'
import { GuestForm } from './guest-form.js'

/** All forms of the screen share these. */
export interface Guest {
  token: string
  review: GuestReview
  /** The name that was typed in the last of them. */
  name: string
  onName: (name: string) => void
  onWritten: (made: GuestComment) => void
}

interface GuestThreadsProps {
  guest: Guest
  /** The first comments of the threads. */
  of: readonly GuestComment[]
  /** Whether the page that they are on is shown beside them. */
  isBeside?: boolean
}

export function GuestThreads({ guest, of, isBeside = false }: GuestThreadsProps) {
  const [answered, setAnswered] = useState<string>()
  const { comments, mayComment } = guest.review
  return (
    <>
      {of.map((first) => {
        const answers = comments.filter(({ inReplyTo }) => inReplyTo === first.id)
        const place = isBeside && first.quote !== null && <q class="hint">{first.quote.exact}</q>
        return (
          <article key={first.id} class="panel thread" aria-label={`Comment ${first.number}`}>
            <FoldResolved first={first} answers={answers.length}>
              {[first, ...answers].map((each) => (
                <Said key={each.id} comment={each} place={isBeside ? place : undefined} />
              ))}
              {mayComment && answered !== first.id && (
                <Button kind="quiet" isSmall onClick={() => setAnswered(first.id)}>
                  Answer
                </Button>
              )}
              {answered === first.id && (
                <GuestForm
                  {...guest}
                  inReplyTo={first.id}
                  onWritten={(made) => {
                    setAnswered(undefined)
                    guest.onWritten(made)
                  }}
                />
              )}
            </FoldResolved>
          </article>
        )
      })}
    </>
  )
}
