// The form for a new comment on a change request: its place, words that it quotes, and its text. It may ask for changes.

import { useContext, useState } from 'preact/hooks'
import { writeComment } from './comment-api.js'
import { asError } from '../../../api/use-loaded.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { About, WHOLE } from '../../../parts/comments/about.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { notify } from '../../../parts/overlays/notices.js'
import { Person } from '../../../parts/rights/allowed.js'
import type { Review } from '../use-review.js'

export function CommentForm({ review, onWritten }: { review: Review; onWritten: () => void }) {
  const { request, changes } = review
  const me = useContext(Person)
  const [text, setText] = useState('')
  const [path, setPath] = useState(WHOLE)
  const [quoted, setQuoted] = useState('')
  const [problem, setProblem] = useState<string>()
  const send = useOneAtATime(async (asksForChanges: boolean) => {
    setProblem(undefined)
    const place = path !== WHOLE && { path, ...(quoted.trim() !== '' && { quote: { exact: quoted.trim() } }) }
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
  const paths = new Set(
    changes.filter(({ change }) => change !== 'removed').map((each) => each.page?.path ?? each.path),
  )
  const mayAsk = request.state === 'review' && !request.mine && me?.scopes.includes('write') === true
  const isEmpty = text.trim() === ''
  return (
    <div class="panel">
      <Form onSubmit={() => send(false)} class="stack">
        <About value={path} onChoose={setPath} paths={paths} />
        {path !== WHOLE && <Field label="Words that it is about" hint="Optional." value={quoted} onValue={setQuoted} />}
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
