// The box that opens at the button for publishing: a note for the history, and what happens.

import type { ComponentChildren } from 'preact'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Form } from '../../../parts/controls/form.js'
import { Popover } from '../../../parts/overlays/popover.js'

interface PublishBoxProps {
  /** The word of the act, such as `Publish`. */
  act: string
  isOff: boolean
  note: string
  onNote: (note: string) => void
  onSubmit: () => Promise<void>
  /** Says what happens. */
  children: ComponentChildren
}

export function PublishBox({ act, isOff, note, onNote, onSubmit, children }: PublishBoxProps) {
  return (
    <Popover label={act} kind="main" button={`${act}…`} disabled={isOff}>
      {(close) => (
        <Form
          class="publish-box"
          onSubmit={async () => {
            close()
            await onSubmit()
          }}
        >
          <Field label="Note for the history" hint="Optional." value={note} onValue={onNote} />
          {children}
          <Button type="submit" kind="main">
            {act}
          </Button>
        </Form>
      )}
    </Popover>
  )
}
