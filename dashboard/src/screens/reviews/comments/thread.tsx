// One thread of comments: the first one with its place, its answers, and the acts on it. A resolved one is folded.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../api/client.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { FoldResolved } from '../../../parts/comments/fold-resolved.js'
import { Said } from '../../../parts/comments/said.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { notifyFailure } from '../../../parts/overlays/notices.js'
import { Allowed } from '../../../parts/rights/allowed.js'
import { resolveThread, writeComment } from './comment-api.js'
import { OwnWords } from './own-words.js'
import type { CommentThread } from './threads.js'

interface ThreadProps {
  request: ChangeRequest
  thread: CommentThread
  /** The place of its first comment. */
  place?: ComponentChildren
  onChanged: () => void
}

export function Thread({ request, thread, place, onChanged }: ThreadProps) {
  const { first, answers } = thread
  const isResolved = first.resolvedAt !== null
  const box = useRef<HTMLElement>(null)
  const hasActed = useRef(false)
  useEffect(() => {
    // The button that was pressed is folded away, or is another one now.
    if (hasActed.current) box.current?.querySelector<HTMLElement>(isResolved ? 'summary' : '.acts button')?.focus()
    hasActed.current = false
  }, [isResolved])
  const resolve = useOneAtATime(async () => {
    try {
      await resolveThread(first.id, !isResolved)
      hasActed.current = true
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  })
  const words = (
    <>
      {[first, ...answers].map((each) => {
        const shown = { comment: each, place: each === first ? place : undefined }
        return each.mine ? (
          <OwnWords key={each.id} {...shown} onChanged={onChanged} />
        ) : (
          <Said key={each.id} {...shown} />
        )
      })}
      <Allowed to="try">
        <Acts request={request} thread={thread} onChanged={onChanged} onResolve={resolve} />
      </Allowed>
    </>
  )
  return (
    <article ref={box} class="panel thread" aria-label={`Comment ${first.number}`}>
      <FoldResolved first={first} answers={answers.length}>
        {words}
      </FoldResolved>
    </article>
  )
}

interface ActsProps extends ThreadProps {
  onResolve: () => Promise<void>
}

function Acts({ request, thread: { first }, onChanged, onResolve }: ActsProps) {
  const [isAnswering, setAnswering] = useState(false)
  const [text, setText] = useState('')
  const answer = useOneAtATime(async () => {
    try {
      await writeComment(request.id, { text, inReplyTo: first.id })
      setText('')
      setAnswering(false)
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  })
  return (
    <>
      {isAnswering && (
        <Form onSubmit={answer} class="stack">
          <Field type="lines" label="Your answer" value={text} onValue={setText} required autofocus />
          <Button type="submit" disabled={text.trim() === ''}>
            Send the answer
          </Button>
        </Form>
      )}
      <div class="bar acts">
        {!isAnswering && request.closedAt === null && (
          <Button kind="quiet" isSmall onClick={() => setAnswering(true)}>
            Answer
          </Button>
        )}
        <Button kind="quiet" isSmall onClick={() => void onResolve()}>
          {first.resolvedAt === null ? 'Resolve' : 'Open it again'}
        </Button>
      </div>
    </>
  )
}
