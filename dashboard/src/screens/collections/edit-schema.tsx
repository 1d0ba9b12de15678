// The dialog that changes the schema of a collection.

import { useState } from 'preact/hooks'
import { type Collection, dataOf, type Site, siteApi } from '../../api/client.js'
import { Dialog } from '../../parts/dialog.js'
import { Form } from '../../parts/form.js'
import { JsonField } from '../../parts/json-field.js'
import { notify } from '../../parts/notices.js'
import { parseSchema, refusalText } from './json-input.js'

interface EditSchemaProps {
  site: Site
  collection: Collection
  onClose: () => void
  onSaved: (collection: Collection) => void
}

export function EditSchema({ site, collection: { id, name, schema: saved }, onClose, onSaved }: EditSchemaProps) {
  const [text, setText] = useState(() => (saved === null ? '' : JSON.stringify(saved, null, 2)))
  const [refusal, setRefusal] = useState<string>()
  const { schema, isWrong } = parseSchema(text)
  const save = async () => {
    try {
      const body = { name, schema }
      onSaved(dataOf(await siteApi(site).PUT('/collections/{id}', { params: { path: { id } }, body })))
      notify('The schema is saved.')
    } catch (error) {
      setRefusal(refusalText(error))
    }
  }
  return (
    <Dialog title={`Schema of ${name}`} onClose={onClose} wide>
      <Form onSubmit={save}>
        <JsonField label="JSON Schema (empty: any record)" text={text} onText={setText} refusal={refusal} />
        <button type="submit" class="main" disabled={isWrong}>
          Save
        </button>
      </Form>
    </Dialog>
  )
}
