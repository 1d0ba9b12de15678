// The form in which a guest writes a comment, or an answer to one, under a name.

import { useEffect, useRef, useState } from 'preact/hooks'
import { asError } from '../../api/use-loaded.js'
import { About, WHOLE } from '../../parts/comments/about.js'
import { Button } from '../../parts/controls/button.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { type GuestComment, type GuestReview, writeGuestComment } from './guest-api.js'

interface GuestFormProps {
  token: string
  review: GuestReview
  /** The name that the guest typed in any of the forms. */
  name: string
  onName: (name: string) => void
  /** The thread that is answered. */
  inReplyTo?: string
  onWritten: (made: GuestComment) => void
}

export function GuestForm({ token, review, name, onName, inReplyTo, onWritten }: GuestFormProps) {
  const [text, setText] = useState('')
  const [path, setPath] = useState(WHOLE)
  const [problem, setProblem] = useState<string>()
  const [isSent, setSent] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const isAnswer = inReplyTo !== undefined
  useEffect(() => {
    // The button that opened the form is gone.
    if (isAnswer) box.current?.querySelector<HTMLElement>(name === '' ? 'input' : 'textarea')?.focus()
  }, [])
  const send = async () => {
    setProblem(undefined)
    setSent(false)
    const place = { ...(isAnswer && { inReplyTo }), ...(!isAnswer && path !== WHOLE && { path }) }
    try {
      onWritten(await writeGuestComment(token, { name: name.trim(), text, commit: review.head, ...place }))
      setText('')
      setSent(true)
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  const paths = review.pages.filter(({ change }) => change !== 'removed').map((page) => page.path)
  return (
    <div ref={box} class={isAnswer ? '' : 'panel'}>
      <Form onSubmit={send} class="stack">
        {!isAnswer && <h3>Write a comment</h3>}
        <Field label="Your name" hint="The others read it. Nobody checks it." value={name} onValue={onName} required />
        {!isAnswer && paths.length > 0 && <About value={path} onChoose={setPath} paths={paths} />}
        <Field
          type="lines"
          label={isAnswer ? 'Your answer' : 'Your comment'}
          problem={problem}
          value={text}
          onValue={setText}
          required
        />
        <div class="bar">
          <Button type="submit" kind={isAnswer ? 'plain' : 'main'} disabled={name.trim() === '' || text.trim() === ''}>
            {isAnswer ? 'Send the answer' : 'Send the comment'}
          </Button>
          <span role="status">{isSent && 'Sent. The others see it now.'}</span>
        </div>
      </Form>
    </div>
  )
}
