// The line above the table of a collection, and the screen of a collection without records.

import type { Collection, Site } from '../../api/client.js'
import { Button } from '../../parts/controls/button.js'
import { SearchField } from '../../parts/controls/search-field.js'
import { Menu, type MenuItem } from '../../parts/overlays/menu.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { KeyHint } from './key-hint.js'
import type { CollectionDialog } from './collection-dialogs.js'
import type { Field } from './fields/field.js'
import { titleOfCollection } from './schema/collection-name.js'
import { AddFilter } from './table/filter-bar.js'
import type { RecordList } from './table/use-records.js'

interface RecordsBarProps {
  collection: Collection
  fields: readonly Field[]
  list: RecordList
  onNew: () => void
  onDialog: (dialog: CollectionDialog) => void
  onExport: () => void
}

export function RecordsBar({ collection, fields, list, onNew, onDialog, onExport }: RecordsBarProps) {
  const title = titleOfCollection(collection)
  const mayWrite = useMay()('write')
  const open = (dialog: CollectionDialog) => () => onDialog(dialog)
  const taking: MenuItem = { label: 'Export as CSV', icon: 'download', run: onExport }
  const changing: (MenuItem | null)[] = [
    { label: 'Fields…', icon: 'settings', run: open('fields') },
    { label: 'Rename…', icon: 'edit', run: open('rename') },
    null,
    { label: 'Import CSV…', icon: 'upload', run: open('import') },
    taking,
    null,
    { label: 'Delete the collection…', icon: 'delete', isRisky: true, run: open('delete') },
  ]
  return (
    <div class="bar">
      <h2 dir="auto">{title}</h2>
      <Menu label={`Actions for ${title}`} items={mayWrite ? changing : [taking]} />
      <SearchField label="Search the records" value={list.words} onValue={list.setWords} />
      <AddFilter fields={fields} conditions={list.conditions} onConditions={list.setConditions} />
      <Allowed to="write">
        <Button kind="main" icon="add" onClick={onNew}>
          New record
        </Button>
      </Allowed>
    </div>
  )
}

interface NoRecordsProps {
  site: Site
  collection: Collection
  onNew: () => void
  onDialog: (dialog: CollectionDialog) => void
}

export function NoRecords({ site, collection, onNew, onDialog }: NoRecordsProps) {
  const may = useMay()
  if (!may('write')) return <EmptyState icon="data" title="No records yet" />
  const command = `curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -H 'Content-Type: application/json' -d '{"data":{"title":"The first"}}' \\
  '${location.origin}/api/v1/collections/${collection.id}/records'`
  return (
    <EmptyState
      icon="data"
      title="No records yet"
      command={command}
      action={
        <div class="bar">
          <Button onClick={onNew}>Add the first record</Button>
          {collection.schema === null && (
            <Button onClick={() => onDialog('fields')}>Say which fields records have</Button>
          )}
          <Button onClick={() => onDialog('import')}>Import CSV…</Button>
        </div>
      }
    >
      <p>A record is one row: a book, an event, a person. Press n to add one here, or create it from a shell.</p>
      <KeyHint />
    </EmptyState>
  )
}
