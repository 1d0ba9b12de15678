// The records of a collection, with full-text search and editing as JSON.

import { useState } from 'preact/hooks'
import { type Collection, dataOf, type Site, siteApi, type StoredRecord } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useSettled } from '../../api/use-settled.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Allowed, useMay } from '../../parts/allowed.js'
import { KeyHint } from '../../parts/key-hint.js'
import { SearchField } from '../../parts/search-field.js'
import { Await, AwaitList, Empty } from '../../parts/state.js'
import { EditRecord } from './edit-record.js'
import { EditSchema } from './edit-schema.js'
import { RecordTable } from './record-table.js'

interface RecordsScreenProps {
  site: Site
  collectionId: string
}

export function RecordsScreen({ site, collectionId }: RecordsScreenProps) {
  const collection = useLoaded<Collection>(`collection ${collectionId}`, async (signal) =>
    dataOf(await siteApi(site).GET('/collections/{id}', { params: { path: { id: collectionId } }, signal })),
  )
  return <Await of={collection}>{(data) => <Records site={site} collection={data} onChanged={collection.put} />}</Await>
}

interface RecordsProps {
  site: Site
  collection: Collection
  onChanged: (collection: Collection) => void
}

const SEARCH_DELAY_MS = 250

function Records({ site, collection, onChanged }: RecordsProps) {
  const [words, setWords] = useState('')
  const q = useSettled(words, SEARCH_DELAY_MS)
  const [edited, setEdited] = useState<StoredRecord | 'new' | 'schema'>()
  const records = useList<StoredRecord>(`records ${collection.id} ${q}`, (cursor, signal) => {
    const query = { limit: 100, ...(q !== '' && { q }), ...cursor }
    return siteApi(site).GET('/collections/{id}/records', { params: { path: { id: collection.id }, query }, signal })
  })
  useShortcuts({ ...(useMay()('write') && { n: () => setEdited('new') }), '/': focusSearch })
  useTitle(collection.name, site.slug)
  const close = () => setEdited(undefined)
  return (
    <>
      <RecordsBar name={collection.name} words={words} onWords={setWords} onEdit={setEdited} />
      <AwaitList
        of={records}
        moreLabel="More records"
        empty={
          q === '' ? <NoRecords site={site} collection={collection} /> : <Empty title="No record has these words" />
        }
      >
        {(entries) => <RecordTable records={entries} onEdit={setEdited} />}
      </AwaitList>
      {edited === 'schema' && (
        <EditSchema
          site={site}
          collection={collection}
          onClose={close}
          onSaved={(saved) => (close(), onChanged(saved))}
        />
      )}
      {edited !== undefined && edited !== 'schema' && (
        <EditRecord
          site={site}
          collection={collection}
          record={edited === 'new' ? undefined : edited}
          onClose={close}
          onChanged={() => (close(), records.reload())}
        />
      )}
    </>
  )
}

interface RecordsBarProps {
  name: string
  words: string
  onWords: (words: string) => void
  onEdit: (what: 'new' | 'schema') => void
}

function RecordsBar({ name, words, onWords, onEdit }: RecordsBarProps) {
  return (
    <div class="bar">
      <h2>{name}</h2>
      <SearchField label="Search the records" value={words} onValue={onWords} />
      <button type="button" onClick={() => onEdit('schema')}>
        Schema
      </button>
      <Allowed to="write">
        <button type="button" class="main" onClick={() => onEdit('new')}>
          New record
        </button>
      </Allowed>
    </div>
  )
}

function NoRecords({ site, collection }: { site: Site; collection: Collection }) {
  const may = useMay()
  if (!may('write')) return <Empty title="No records yet" />
  const command = `curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -H 'Content-Type: application/json' -d '{"data":{"title":"The first"}}' \\
  '${location.origin}/api/v1/collections/${collection.id}/records'`
  return (
    <Empty title="No records yet" command={command}>
      <p>Press n, or create the first one from a shell:</p>
      <KeyHint />
    </Empty>
  )
}
