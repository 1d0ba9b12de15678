// The dialog that gives a page its own title, or resets it to the title in its HTML.

import { useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify } from '../../parts/notices.js'

interface EditTitleProps {
  site: Site
  page: Page
  onClose: () => void
  onChanged: (page: Page) => void
}

export function EditTitle({ site, page, onClose, onChanged }: EditTitleProps) {
  const [title, setTitle] = useState(page.titleIsSet ? (page.title ?? '') : '')
  const [refusal, setRefusal] = useState<string>()
  const save = async (wanted: string | null) => {
    try {
      const params = { path: { id: page.id }, header: { 'If-Match': page.etag } }
      onChanged(dataOf(await siteApi(site).PATCH('/pages/{id}', { params, body: { title: wanted } })))
      notify('The title is saved.')
      onClose()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title={`Title of ${page.path}`} onClose={onClose}>
      <Form onSubmit={() => save(title === '' ? null : title)}>
        <Field
          label="Title"
          hint="Shown in lists. Empty: the title in the HTML."
          problem={refusal}
          value={title}
          onValue={setTitle}
          autofocus
        />
        <button type="submit" class="main">
          Save
        </button>
        {page.titleIsSet && (
          <button type="button" onClick={() => void save(null)}>
            Use the title in the HTML
          </button>
        )}
      </Form>
    </Dialog>
  )
}
