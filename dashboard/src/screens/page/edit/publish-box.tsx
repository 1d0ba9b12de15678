// The box that opens at the button for publishing: a note for the history, what happens, and the acts.

import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { Popover } from '../../../parts/overlays/popover.js'
import type { Act } from './use-draft-acts.js'

interface PublishBoxProps {
  /** The main one first. */
  acts: readonly Act[]
  isOff: boolean
  note: string
  onNote: (note: string) => void
  onAct: (act: Act) => Promise<void>
  /** Says what an act does. */
  tell: (act: Act) => string
}

export function PublishBox({ acts, isOff, note, onNote, onAct, tell }: PublishBoxProps) {
  const [main, ...others] = acts
  if (main === undefined) return null
  return (
    <Popover label={main} kind="main" button={`${main}…`} disabled={isOff}>
      {(close) => (
        <Acts main={main} others={others} note={note} onNote={onNote} onAct={onAct} tell={tell} close={close} />
      )}
    </Popover>
  )
}

interface ActsProps extends Omit<PublishBoxProps, 'acts' | 'isOff'> {
  main: Act
  others: readonly Act[]
  close: () => void
}

function Acts({ main, others, note, onNote, onAct, tell, close }: ActsProps) {
  const run = async (act: Act) => {
    close()
    await onAct(act)
  }
  return (
    <Form class="publish-box" onSubmit={() => run(main)}>
      <Field label="Note for the history" hint="Optional." value={note} onValue={onNote} />
      <p class="hint">{tell(main)}</p>
      <Button type="submit" kind="main">
        {main}
      </Button>
      {others.map((act) => (
        <Button key={act} title={tell(act)} onClick={() => void run(act)}>
          {act}
        </Button>
      ))}
    </Form>
  )
}
