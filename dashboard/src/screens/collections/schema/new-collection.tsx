// The dialog that creates a collection.

import { type Collection, dataOf, type Site, siteApi } from '../../../api/client.js'
import { navigate } from '../../../browser/router.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
import { titleOfCollection } from './collection-name.js'
import { NEW_ROW } from './field-rows.js'
import { SchemaTabs } from './schema-tabs.js'
import { useSchemaEditor } from './use-schema-editor.js'

const FIRST_ROWS = [{ ...NEW_ROW, label: 'Title', isRequired: true }]

export function NewCollection({ site, onClose }: { site: Site; onClose: () => void }) {
  const editor = useSchemaEditor({ title: '', schema: null, rows: FIRST_ROWS }, async (body) => {
    const made: Collection = dataOf(await siteApi(site).POST('/collections', { body }))
    notify(`Added the collection ${titleOfCollection(made)}.`)
    navigate(`/sites/${site.slug}/collections/${made.id}`)
  })
  const { state, name } = editor
  return (
    <Dialog
      title="New collection"
      onClose={onClose}
      onSubmit={editor.save}
      wide
      actions={
        <Button type="submit" kind="main" disabled={name === ''}>
          Create the collection
        </Button>
      }
    >
      <div class="two-fields">
        <Field
          label="Title"
          hint="As people call it, such as Books."
          value={state.title}
          onValue={editor.setTitle}
          autofocus
          required
        />
        <Field
          label="Name"
          hint="Programs and the command line use it."
          problem={state.nameProblem}
          value={name}
          onValue={editor.setName}
        />
      </div>
      <h3>Fields of each record</h3>
      <SchemaTabs editor={editor} />
    </Dialog>
  )
}
