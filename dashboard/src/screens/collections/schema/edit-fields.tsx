// The dialog that changes the fields of a collection.

import type { Site } from '../../../api/client.js'
import { Button } from '../../../parts/controls/button.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notify } from '../../../parts/overlays/notices.js'
import type { JsonObject } from '../fields/field.js'
import { titleOfCollection } from './collection-name.js'
import { replaceCollection, type TaggedCollection } from './save-collection.js'
import { SchemaTabs } from './schema-tabs.js'
import { useSchemaEditor } from './use-schema-editor.js'

interface EditFieldsProps {
  site: Site
  tagged: TaggedCollection
  onClose: () => void
  onSaved: (saved: TaggedCollection) => void
}

export function EditFields({ site, tagged, onClose, onSaved }: EditFieldsProps) {
  const { name, schema } = tagged.collection
  const title = titleOfCollection(tagged.collection)
  const editor = useSchemaEditor({ title, name, schema: schema as JsonObject | null }, async (definition) => {
    onSaved(await replaceCollection(site, tagged, definition))
    notify(`Saved the fields of ${title}.`)
  })
  return (
    <Dialog
      title={`Fields of ${title}`}
      onClose={onClose}
      onSubmit={editor.save}
      wide
      actions={
        <Button type="submit" kind="main">
          Save
        </Button>
      }
    >
      <p class="hint">Records that are there stay as they are. They are checked when somebody saves them.</p>
      <SchemaTabs editor={editor} />
    </Dialog>
  )
}
