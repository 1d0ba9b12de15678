// Rolling a page back, with a reason, and undoing that.

import { useState } from 'preact/hooks'
import { call, type Page, type Site, type Version } from '../api.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { notify, notifyFailure } from '../parts/notices.js'

interface RollBackProps {
  site: Site
  page: Page
  version: Version
  onClose: () => void
  onDone: () => void
}

export function RollBack({ site, page, version, onClose, onDone }: RollBackProps) {
  const [reason, setReason] = useState('')
  const roll = async (to: number, why: string) =>
    await call<Page>('POST', `/pages/${page.id}/rollback`, {
      site: site.id,
      body: { version: to, ...(why !== '' && { reason: why }) },
    })
  const undo = async () => {
    try {
      if (page.status === 'unpublished') await call('DELETE', `/pages/${page.id}`, { site: site.id })
      else await roll(page.version.number, 'The roll-back was undone')
      notify('The roll-back is undone.')
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const submit = async () => {
    try {
      await roll(version.number, reason)
      notify(`${page.path} is as it was in version ${version.number}.`, { label: 'Undo', run: () => void undo() })
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog title={`Roll back to version ${version.number}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>Its content becomes the newest version. Nothing is lost: the versions in between stay.</p>
        <Field label="Reason" hint="Optional; it stands in the history." value={reason} onValue={setReason} autofocus />
        <button type="submit" class="main">
          Roll back
        </button>
      </form>
    </Dialog>
  )
}
