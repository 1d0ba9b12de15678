// The records of a collection: the table, what narrows it, and the dialogs that change records and the collection.

import { useMemo, useState } from 'preact/hooks'
import type { Site, StoredRecord } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { formatCount, nameOfSite } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { SelectionBar, useSelection } from '../../parts/lists/selection.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Await, AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { fieldsOf } from './fields/read-schema.js'
import { exportCsv } from './csv/export-csv.js'
import { titleOf } from './fields/record-title.js'
import { asTexts, useFields } from './fields/use-fields.js'
import { type CollectionDialog, CollectionDialogs } from './collection-dialogs.js'
import { EditRecord } from './form/edit-record.js'
import { type Edited, readKept } from './form/kept-record.js'
import { NoRecords, RecordsBar } from './records-bar.js'
import { titleOfCollection } from './schema/collection-name.js'
import { readCollection, type TaggedCollection } from './schema/save-collection.js'
import { AskToDelete, deleteWithUndo } from './table/delete-records.js'
import { Conditions } from './table/filter-bar.js'
import { RecordTable } from './table/record-table.js'
import { type RecordList, useRecords } from './table/use-records.js'
import '../../styles/records.css'

interface RecordsScreenProps {
  site: Site
  collectionId: string
}

export function RecordsScreen({ site, collectionId }: RecordsScreenProps) {
  const loaded = useLoaded<TaggedCollection>(`collection ${collectionId}`, (signal) =>
    readCollection(site, collectionId, signal),
  )
  const schema = loaded.data?.collection.schema
  const described = useMemo(() => fieldsOf(schema ?? null), [schema])
  // The records are asked for at the same time as the collection.
  const list = useRecords(site, collectionId, described)
  return (
    <Await of={loaded}>
      {(tagged) => <Records site={site} tagged={tagged} described={described} list={list} onChanged={loaded.put} />}
    </Await>
  )
}

interface RecordsProps {
  site: Site
  tagged: TaggedCollection
  described: ReturnType<typeof fieldsOf>
  list: RecordList
  onChanged: (tagged: TaggedCollection) => void
}

function Records({ site, tagged, described, list, onChanged }: RecordsProps) {
  const { collection } = tagged
  const title = titleOfCollection(collection)
  const { records } = list
  const fields = useFields(collection, described, records.data?.entries)
  const mayWrite = useMay()('write')
  const [edited, setEdited] = useState<Edited | undefined>(() => (mayWrite ? readKept(collection.id) : undefined))
  const [dialog, setDialog] = useState<CollectionDialog>()
  const [asked, setAsked] = useState<readonly StoredRecord[]>()
  const selection = useSelection()
  const startNew = () => setEdited({ record: undefined })
  useShortcuts({ ...(mayWrite && { n: startNew }), '/': focusSearch })
  useTitle(title, nameOfSite(site))
  const reload = () => {
    selection.clear()
    records.reload()
  }
  const remove = async (chosen: readonly StoredRecord[]) => {
    const [one] = chosen
    const what = chosen.length === 1 && one ? titleOf(one.data, fields) : formatCount(chosen.length, 'record')
    await deleteWithUndo(site, chosen, { what, collectionTitle: title, onChanged: reload })
  }
  const exportAll = async () => {
    try {
      const count = await exportCsv(site, collection, fields)
      notify(`Exported ${formatCount(count, 'record')} of ${title}.`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const chosen = (records.data?.entries ?? []).filter(({ id }) => selection.chosen.has(id))
  const table = (entries: readonly StoredRecord[]) => (
    <>
      <p class="hint" role="status">
        {formatCount(entries.length, 'record')}
        {records.data?.nextCursor == null ? '' : ', and more'}
      </p>
      <RecordTable
        site={site}
        label={title}
        fields={fields}
        records={entries}
        sort={list.sort}
        onSort={list.setSort}
        selection={selection}
        onOpen={(record) => setEdited({ record })}
        onDuplicate={({ data }) => setEdited({ record: undefined, data })}
        onDelete={(record) => void remove([record])}
      />
    </>
  )
  const empty = list.isNarrowed ? (
    <EmptyState icon="search" title="No record is like this" />
  ) : (
    <NoRecords site={site} collection={collection} onNew={startNew} onDialog={setDialog} />
  )
  return (
    <>
      <RecordsBar
        collection={collection}
        fields={described ?? asTexts(fields)}
        list={list}
        onNew={startNew}
        onDialog={setDialog}
        onExport={() => void exportAll()}
      />
      <Conditions
        fields={described ?? asTexts(fields)}
        conditions={list.conditions}
        onConditions={list.setConditions}
      />
      <AwaitList of={records} moreLabel="More records" empty={empty}>
        {table}
      </AwaitList>
      <SelectionBar selection={selection}>
        <Button kind="danger" onClick={() => (chosen.length === 1 ? void remove(chosen) : setAsked(chosen))}>
          Delete
        </Button>
      </SelectionBar>
      {asked && (
        <AskToDelete
          names={asked.map(({ data }) => titleOf(data, fields))}
          collectionTitle={title}
          onClose={() => setAsked(undefined)}
          onSure={async () => {
            setAsked(undefined)
            await remove(asked)
          }}
        />
      )}
      {edited && (
        <EditRecord
          key={edited.record?.id ?? 'new'}
          site={site}
          collection={collection}
          fields={fields}
          edited={edited}
          onClose={() => setEdited(undefined)}
          onReopen={setEdited}
          onChanged={() => {
            setEdited(undefined)
            records.reload()
          }}
        />
      )}
      <CollectionDialogs
        site={site}
        tagged={tagged}
        dialog={dialog}
        records={countOf(records.data)}
        fields={fields}
        onImported={reload}
        onClose={() => setDialog(undefined)}
        onChanged={onChanged}
      />
    </>
  )
}

function countOf(slice: { entries: readonly unknown[]; nextCursor: string | null } | undefined): string {
  if (slice === undefined) return 'its records'
  const count = formatCount(slice.entries.length, 'record')
  return slice.nextCursor === null ? `its ${count}` : `more than ${count}`
}
