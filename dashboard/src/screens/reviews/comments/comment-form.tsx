// The form for a new comment on a change request, or on a page or file of it: words that it quotes, and its text. It may ask for changes.

import { useContext, useState } from 'preact/hooks'
import { writeComment } from './comment-api.js'
import { asError } from '../../../api/use-loaded.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { notify } from '../../../parts/overlays/notices.js'
import { Person } from '../../../parts/rights/allowed.js'
import type { Review } from '../use-review.js'

interface CommentFormProps {
  review: Review
  /** A page or a file; left out for the whole change. */
  path?: string
  onWritten: () => void
}

export function CommentForm({ review: { request }, path, onWritten }: CommentFormProps) {
  const me = useContext(Person)
  const [text, setText] = useState('')
  const [quoted, setQuoted] = useState('')
  const [problem, setProblem] = useState<string>()
  const send = useOneAtATime(async (asksForChanges: boolean) => {
    setProblem(undefined)
    const place = path !== undefined && { path, ...(quoted.trim() !== '' && { quote: { exact: quoted.trim() } }) }
    const commit = request.head !== null && { commit: request.head }
    try {
      await writeComment(request.id, { text, ...place, ...commit, ...(asksForChanges && { asksForChanges }) })
      setText('')
      setQuoted('')
      notify(asksForChanges ? 'Its author is asked for changes. It is a draft again.' : 'The others see your comment.')
      onWritten()
    } catch (error) {
      setProblem(asError(error).message)
    }
  })
  const mayAsk = request.state === 'review' && !request.mine && me?.scopes.includes('write') === true
  const isEmpty = text.trim() === ''
  return (
    <div class="panel">
      <Form onSubmit={() => send(false)} class="stack">
        {path !== undefined && (
          <Field label="Words that it is about" hint="Optional." value={quoted} onValue={setQuoted} autofocus />
        )}
        <Field type="lines" label="Your comment" problem={problem} value={text} onValue={setText} required />
        <div class="bar">
          <Button type="submit" disabled={isEmpty}>
            Send the comment
          </Button>
          {mayAsk && (
            <Button disabled={isEmpty} onClick={() => void send(true)}>
              Ask for changes
            </Button>
          )}
        </div>
      </Form>
    </div>
  )
}
