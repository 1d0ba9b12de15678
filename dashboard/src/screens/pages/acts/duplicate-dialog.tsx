// Copies a page to another address, and opens the copy.

import { useState } from 'preact/hooks'
import { dataOf, siteApi } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { navigate } from '../../../browser/router.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
import { type ActProps, nameOf } from './unpublish-dialog.js'

export function DuplicateDialog({ site, pages, onClose }: ActProps) {
  const [page] = pages
  const [path, setPath] = useState(`${page?.path.replace(/\/$/, '') ?? ''}-copy`.replace(/^-/, '/'))
  const [refusal, setRefusal] = useState<string>()
  if (page === undefined) return null
  const duplicate = async () => {
    try {
      const made = dataOf(await siteApi(site).POST('/pages', { body: { path, duplicateOf: page.id } }))
      notify(`${made.path} is live: a copy of ${nameOf(pages)}.`)
      navigate(`/sites/${site.slug}/pages/${made.id}`)
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog
      title={`Duplicate ${nameOf(pages)}`}
      onClose={onClose}
      onSubmit={duplicate}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main">
            Publish the copy
          </Button>
        </>
      }
    >
      <Field label="Address" problem={refusal} value={path} onValue={setPath} autofocus required />
    </Dialog>
  )
}
