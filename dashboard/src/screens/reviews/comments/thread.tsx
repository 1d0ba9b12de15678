// One thread of comments: the first one with its place, its answers, and the acts on it.

import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../api/client.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { Said } from '../../../parts/comments/said.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { notifyFailure } from '../../../parts/overlays/notices.js'
import { Allowed } from '../../../parts/rights/allowed.js'
import { type Comment, resolveThread, writeComment } from './comment-api.js'

interface ThreadProps {
  request: ChangeRequest
  first: Comment
  answers: readonly Comment[]
  onChanged: () => void
}

export function Thread({ request, first, answers, onChanged }: ThreadProps) {
  const [isAnswering, setAnswering] = useState(false)
  const [text, setText] = useState('')
  const isResolved = first.resolvedAt !== null
  const act = useOneAtATime(async (work: () => Promise<unknown>) => {
    try {
      await work()
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  })
  const answer = () =>
    act(async () => {
      await writeComment(request.id, { text, inReplyTo: first.id })
      setText('')
      setAnswering(false)
    })
  return (
    <article class="panel thread" aria-label={`Comment ${first.number}`}>
      <Said comment={first} />
      {answers.map((each) => (
        <Said key={each.id} comment={each} />
      ))}
      {isAnswering && (
        <Form onSubmit={answer} class="stack">
          <Field type="lines" label="Your answer" value={text} onValue={setText} required autofocus />
          <Button type="submit" disabled={text.trim() === ''}>
            Send the answer
          </Button>
        </Form>
      )}
      <Allowed to="try">
        <div class="bar">
          {!isAnswering && request.closedAt === null && (
            <Button kind="quiet" isSmall onClick={() => setAnswering(true)}>
              Answer
            </Button>
          )}
          <Button kind="quiet" isSmall onClick={() => void act(() => resolveThread(first.id, !isResolved))}>
            {isResolved ? 'Open it again' : 'Resolve'}
          </Button>
        </div>
      </Allowed>
    </article>
  )
}
