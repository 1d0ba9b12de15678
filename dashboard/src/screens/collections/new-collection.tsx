// The dialog that creates a collection.

import { useState } from 'preact/hooks'
import { dataOf, type Site, siteApi } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { JsonField } from '../../parts/json-field.js'
import { parseSchema, refusalText } from './json-input.js'

export function NewCollection({ site, onClose }: { site: Site; onClose: () => void }) {
  const [name, setName] = useState('')
  const [schemaText, setSchemaText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const { schema, isWrong } = parseSchema(schemaText)
  const create = async () => {
    try {
      const made = dataOf(await siteApi(site).POST('/collections', { body: { name, schema } }))
      navigate(`/sites/${site.slug}/collections/${made.id}`)
    } catch (error) {
      setRefusal(refusalText(error))
    }
  }
  return (
    <Dialog title="New collection" onClose={onClose} wide>
      <Form onSubmit={create}>
        <Field label="Name" value={name} onValue={setName} problem={refusal} autofocus required />
        <JsonField label="JSON Schema of its records (optional)" text={schemaText} onText={setSchemaText} />
        <button type="submit" class="main" disabled={name === '' || isWrong}>
          Create the collection
        </button>
      </Form>
    </Dialog>
  )
}
