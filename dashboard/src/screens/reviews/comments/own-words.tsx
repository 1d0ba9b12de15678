// A comment that the person may change: its text becomes a form, and the others read that it was changed.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { asError } from '../../../api/use-loaded.js'
import { useOneAtATime } from '../../../browser/use-one-at-a-time.js'
import { Said } from '../../../parts/comments/said.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { changeText, type Comment } from './comment-api.js'

interface OwnWordsProps {
  comment: Comment
  place?: ComponentChildren
  onChanged: () => void
}

export function OwnWords({ comment, place, onChanged }: OwnWordsProps) {
  const [isEdited, setEdited] = useState(false)
  if (!isEdited)
    return (
      <Said comment={comment} place={place}>
        <Button kind="quiet" isSmall aria-label={`Change comment ${comment.number}`} onClick={() => setEdited(true)}>
          Change
        </Button>
      </Said>
    )
  return <WordsForm comment={comment} onChanged={onChanged} onClose={() => setEdited(false)} />
}

interface WordsFormProps {
  comment: Comment
  onChanged: () => void
  onClose: () => void
}

function WordsForm({ comment, onChanged, onClose }: WordsFormProps) {
  const [text, setText] = useState(comment.text)
  const [problem, setProblem] = useState<string>()
  const save = useOneAtATime(async () => {
    try {
      await changeText(comment.id, text)
      onClose()
      onChanged()
    } catch (error) {
      setProblem(asError(error).message)
    }
  })
  return (
    <Form onSubmit={save} class="stack">
      <Field type="lines" label="Your comment" problem={problem} value={text} onValue={setText} required autofocus />
      <div class="bar">
        <Button type="submit" disabled={text.trim() === ''}>
          Save
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
