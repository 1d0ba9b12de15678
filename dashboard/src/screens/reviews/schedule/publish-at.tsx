// The button and the dialog that set the time at which a change request is published.

import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../api/client.js'
import { scheduleRequest } from '../../../api/requests.js'
import { asError } from '../../../api/use-loaded.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
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

interface DialogProps extends PublishAtProps {
  /** A new title; without words the title stays. */
  title?: string
  onClose: () => void
}

export function PublishAtDialog({ request, title = '', onChanged, onClose }: DialogProps) {
  const { id, head, publishAt } = request
  const [shown, setShown] = useState(() => toLocalTime(publishAt === null ? nextHour() : new Date(publishAt)))
  const [problem, setProblem] = useState<string>()
  const at = instantOf(shown)
  const set = async () => {
    if (at === undefined) return setProblem('Choose a day and a time that the clock shows.')
    try {
      await scheduleRequest(id, at, { title, ...(head !== null && { ifHead: head }) })
      notify(`It is published on ${wordTime(at)}.`)
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
          Set the time
        </Button>
      }
    >
      <Field
        type="datetime-local"
        label="Day and time"
        hint={
          <>
            By the clock of <b>{nameOfZone()}</b>.{at !== undefined && ` It is published on ${wordTime(at)}.`}
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
      <p class="hint">It is published as it is now, in your name. After a change, set the time again.</p>
    </Dialog>
  )
}

function nextHour(): Date {
  const at = new Date()
  at.setHours(at.getHours() + 1, 0, 0, 0)
  return at
}
