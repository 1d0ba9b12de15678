// Dialogs, menus, popovers and notices on the page of parts.

import { useState } from 'preact/hooks'
import { Button } from '../controls/button.js'
import { Field } from '../controls/field.js'
import { Dialog } from '../overlays/dialog.js'
import { Menu } from '../overlays/menu.js'
import { notify, notifyFailure } from '../overlays/notices.js'
import { Popover } from '../overlays/popover.js'
import { Sample } from './sample.js'

export function OverlaySamples() {
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  return (
    <>
      <Sample of="Menu">
        <Menu
          label="Actions"
          items={[
            { label: 'Edit', icon: 'edit', run: () => setSaid('Edit was chosen.') },
            { label: 'Copy the address', icon: 'copy', run: () => setSaid('Copy was chosen.') },
            null,
            { label: 'Delete', icon: 'delete', isRisky: true, run: () => setSaid('Delete was chosen.') },
          ]}
        />
        <span role="status">{said}</span>
      </Sample>
      <Sample of="Popover">
        <Popover label="Filters" button="Filters" icon="settings">
          {(close) => (
            <>
              <Field label="From" type="date" value="" onValue={() => undefined} />
              <Button kind="main" onClick={close}>
                Done
              </Button>
            </>
          )}
        </Popover>
      </Sample>
      <Sample of="Dialog">
        <Button onClick={() => setOpen(true)}>Open the dialog</Button>
      </Sample>
      <Sample of="Notices">
        <Button onClick={() => notify('Spring fair is unpublished.', { label: 'Undo', run: () => undefined })}>
          Tell
        </Button>
        <Button onClick={() => notifyFailure(new Error('The service cannot be reached.'))}>Fail</Button>
      </Sample>
      {isOpen && <SampleDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SampleDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  return (
    <Dialog
      title="Rename the page"
      onClose={onClose}
      onSubmit={async () => {
        await Promise.resolve()
        onClose()
      }}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit">
            Rename
          </Button>
        </>
      }
    >
      <Field label="Title" value={name} onValue={setName} autofocus />
    </Dialog>
  )
}
