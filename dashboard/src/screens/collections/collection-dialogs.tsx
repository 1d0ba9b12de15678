// The dialogs that change a collection itself.

import type { Site } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { ImportCsv } from './csv/import-csv.js'
import type { Field } from './fields/field.js'
import { DeleteCollection } from './schema/delete-collection.js'
import { EditFields } from './schema/edit-fields.js'
import { RenameCollection } from './schema/rename-collection.js'
import type { TaggedCollection } from './schema/save-collection.js'

export type CollectionDialog = 'fields' | 'rename' | 'import' | 'delete'

interface CollectionDialogsProps {
  site: Site
  tagged: TaggedCollection
  /** The open one. */
  dialog: CollectionDialog | undefined
  /** How many records the collection has, in words. */
  records: string
  fields: readonly Field[]
  onClose: () => void
  onImported: () => void
  onChanged: (tagged: TaggedCollection) => void
}

export function CollectionDialogs({ site, tagged, dialog, records, fields, onClose, ...on }: CollectionDialogsProps) {
  const shared = {
    site,
    tagged,
    onClose,
    onSaved(saved: TaggedCollection) {
      onClose()
      on.onChanged(saved)
    },
  }
  if (dialog === 'fields') return <EditFields {...shared} />
  if (dialog === 'rename') return <RenameCollection {...shared} />
  if (dialog === 'import') {
    const { collection } = tagged
    return <ImportCsv site={site} collection={collection} fields={fields} onClose={onClose} onChanged={on.onImported} />
  }
  if (dialog !== 'delete') return null
  return (
    <DeleteCollection {...shared} records={records} onDeleted={() => navigate(`/sites/${site.slug}/collections`)} />
  )
}
