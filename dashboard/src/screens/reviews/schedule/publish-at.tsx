// The button and the dialog that set the time at which a change request is published, or that ask for it with the review.

import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../api/client.js'
import { approve, changeRequest, scheduleRequest } from '../../../api/requests.js'
import { asError } from '../../../api/use-loaded.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
import { writeComment } from '../comments/comment-api.js'
import { instantOf, nameOfZone, toLocalTime, wordTime } from './local-time.js'

interface PublishAtProps {
  request: ChangeRequest
  onChanged: () => void
}

export function PublishAt({ request, onChanged }: PublishAtProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{request.publishAt === null ? 'Publish at…' : 'Change the time…'}</Button>
      {isOpen && <PublishAtDialog request={request} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </>
  )
}

/** `ask`: another person approves or publishes it, and reads the wished time in a comment. */
export type Planning = 'set' | 'approve' | 'ask'

const WORDS: Readonly<Record<Planning, { act: string; hint: string }>> = {
  set: {
    act: 'Set the time',
    hint: 'It is published as it is now, in your name. After a change, set the time again.',
  },
  approve: {
    act: 'Approve and set the time',
    hint: 'You approve it as it is now, and it is published in your name.',
  },
  ask: {
    act: 'Ask for review',
    hint: 'You cannot set a time yet: another person looks at it first. That person reads the time that you wish, and sets it.',
  },
}

interface DialogProps extends PublishAtProps {
  how?: Planning
  /** A new title; without words the title stays. */
  title?: string
  onClose: () => void
}

export function PublishAtDialog({ request, how = 'set', title = '', onChanged, onClose }: DialogProps) {
  const { id, head, publishAt } = request
  const [shown, setShown] = useState(() => toLocalTime(publishAt === null ? nextHour() : new Date(publishAt)))
  const [problem, setProblem] = useState<string>()
  const at = instantOf(shown)
  const set = async () => {
    if (at === undefined) return setProblem('Choose a day and a time that the clock shows.')
    try {
      if (how === 'ask') await askForTime(request, at, title)
      else {
        if (how === 'approve' && head !== null) await approve(id, head)
        await scheduleRequest(id, at, { title, ...(head !== null && { ifHead: head }) })
      }
      notify(
        how === 'ask'
          ? 'Others find it among the reviews now, with the time that you wish.'
          : `It is published on ${wordTime(at)}.`,
      )
      onClose()
      onChanged()
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  return (
    <Dialog
      title="Publish at a time"
      onClose={onClose}
      onSubmit={set}
      actions={
        <Button type="submit" kind="main">
          {WORDS[how].act}
        </Button>
      }
    >
      <Field
        type="datetime-local"
        label="Day and time"
        hint={
          <>
            By the clock of <b>{nameOfZone()}</b>.
            {at !== undefined && ` ${how === 'ask' ? 'You wish' : 'It is published on'} ${wordTime(at)}.`}
          </>
        }
        problem={problem}
        value={shown}
        onValue={(next) => {
          setProblem(undefined)
          setShown(next)
        }}
        autofocus
      />
      <p class="hint">{WORDS[how].hint}</p>
    </Dialog>
  )
}

/** The time is a comment on the request: nothing is published by it. */
async function askForTime({ id, head }: ChangeRequest, at: string, title: string): Promise<void> {
  await changeRequest(id, { state: 'review', title })
  const text = `Please publish it on ${wordTime(at)}.`
  await writeComment(id, { text, ...(head !== null && { commit: head }) })
}

function nextHour(): Date {
  const at = new Date()
  at.setHours(at.getHours() + 1, 0, 0, 0)
  return at
}
