// The dialog that takes a page back to an earlier version, with a reason; it can be undone.

import { useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Button } from '../../parts/controls/button.js'

interface GoBackProps {
  site: Site
  page: Page
  version: Version
  onClose: () => void
  onDone: () => void
}

export function GoBack({ site, page, version, onClose, onDone }: GoBackProps) {
  const [reason, setReason] = useState('')
  const params = { path: { id: page.id } }
  const goBack = async (to: number, why: string) => {
    const body = { version: to, ...(why !== '' && { reason: why }) }
    dataOf(await siteApi(site).POST('/pages/{id}/rollback', { params, body }))
  }
  const undo = async () => {
    try {
      if (page.status === 'unpublished') dataOf(await siteApi(site).DELETE('/pages/{id}', { params }))
      else await goBack(page.version.number, 'Undone')
      notify('It is as it was before.')
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const submit = async () => {
    try {
      await goBack(version.number, reason)
      notify(`${page.path} is as it was in version ${version.number}.`, { label: 'Undo', run: () => void undo() })
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog title={`Go back to version ${version.number}`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>Visitors see version {version.number} again, as the newest version. Nothing is lost: all versions stay.</p>
        <Field
          label="Why?"
          hint="Optional; others read it in the history."
          value={reason}
          onValue={setReason}
          autofocus
        />
        <Button type="submit" kind="main">
          Go back
        </Button>
      </Form>
    </Dialog>
  )
}
