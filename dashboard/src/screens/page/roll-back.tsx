// The dialog that rolls a page back, with a reason; it can be undone.

import { useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify, notifyFailure } from '../../parts/notices.js'

interface RollBackProps {
  site: Site
  page: Page
  version: Version
  onClose: () => void
  onDone: () => void
}

export function RollBack({ site, page, version, onClose, onDone }: RollBackProps) {
  const [reason, setReason] = useState('')
  const params = { path: { id: page.id } }
  const rollBack = async (to: number, why: string) => {
    const body = { version: to, ...(why !== '' && { reason: why }) }
    dataOf(await siteApi(site).POST('/pages/{id}/rollback', { params, body }))
  }
  const undo = async () => {
    try {
      if (page.status === 'unpublished') dataOf(await siteApi(site).DELETE('/pages/{id}', { params }))
      else await rollBack(page.version.number, 'The roll-back was undone')
      notify('The roll-back is undone.')
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const submit = async () => {
    try {
      await rollBack(version.number, reason)
      notify(`${page.path} is as it was in version ${version.number}.`, { label: 'Undo', run: () => void undo() })
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog title={`Roll back to version ${version.number}`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>The content of version {version.number} becomes the newest version. All versions stay in the history.</p>
        <Field label="Reason" hint="Optional; shown in the history." value={reason} onValue={setReason} autofocus />
        <button type="submit" class="main">
          Roll back
        </button>
      </Form>
    </Dialog>
  )
}
