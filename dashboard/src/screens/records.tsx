// The records of a collection as a table, searched by words.

import { useEffect, useState } from 'preact/hooks'
import { call, type Collection, list, type Listing, type Site, type StoredRecord, withQuery } from '../api.js'
import { formatAge } from '../format.js'
import { useLoaded } from '../load.js'
import { DataTable } from '../parts/data-table.js'
import { notifyFailure } from '../parts/notices.js'
import { focusSearch, useShortcuts } from '../parts/shortcuts.js'
import { Await, Empty } from '../parts/state.js'
import { EditRecord, EditSchema } from './edit-record.js'

interface RecordsProps {
  site: Site
  collectionId: string
}

/** Columns of the table. */
const MOST_COLUMNS = 6
/** Milliseconds without a key before the service searches. */
const REST = 250

export function RecordsScreen({ site, collectionId }: RecordsProps) {
  const collection = useLoaded<Collection>(`collection ${collectionId}`, (signal) =>
    call('GET', `/collections/${collectionId}`, { site: site.id, signal }),
  )
  return <Await of={collection}>{(data) => <Records site={site} collection={data} onChanged={collection.put} />}</Await>
}

interface CollectionProps {
  site: Site
  collection: Collection
  onChanged: (collection: Collection) => void
}

function Records({ site, collection, onChanged }: CollectionProps) {
  const [q, setQ] = useState('')
  const [searched, setSearched] = useState('')
  const [edited, setEdited] = useState<StoredRecord | 'new' | 'schema'>()
  const path = `/collections/${collection.id}/records`
  const records = useLoaded<Listing<StoredRecord>>(`records ${collection.id} ${searched}`, (signal) =>
    list(withQuery(path, { limit: '100', ...(searched !== '' && { q: searched }) }), { site: site.id, signal }),
  )
  useEffect(() => {
    const timer = setTimeout(() => setSearched(q), REST)
    return () => clearTimeout(timer)
  }, [q])
  useShortcuts({ n: () => setEdited('new'), '/': focusSearch })
  const more = async (before: Listing<StoredRecord>) => {
    try {
      const query = { limit: '100', cursor: before.nextCursor ?? '', ...(searched !== '' && { q: searched }) }
      const slice = await list<StoredRecord>(withQuery(path, query), { site: site.id })
      records.put({ entries: [...before.entries, ...slice.entries], nextCursor: slice.nextCursor })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const close = () => setEdited(undefined)
  const settled = () => {
    close()
    records.reload()
  }
  return (
    <>
      <div class="bar">
        <h2>{collection.name}</h2>
        <label class="grow">
          <span class="unseen">Search the records</span>
          <input
            type="search"
            placeholder="Search the records"
            value={q}
            onInput={(event) => setQ(event.currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => setEdited('schema')}>
          Schema
        </button>
        <button type="button" class="main" onClick={() => setEdited('new')}>
          New record
        </button>
      </div>
      <Await of={records}>
        {(data) =>
          data.entries.length === 0 ? (
            <NoRecords site={site} path={path} searched={searched} />
          ) : (
            <>
              <RecordTable entries={data.entries} onEdit={setEdited} />
              {data.nextCursor !== null && (
                <button type="button" onClick={() => void more(data)}>
                  More records
                </button>
              )}
            </>
          )
        }
      </Await>
      {edited === 'schema' && (
        <EditSchema
          site={site}
          collection={collection}
          onClose={close}
          onSaved={(saved) => {
            close()
            onChanged(saved)
          }}
        />
      )}
      {edited !== undefined && edited !== 'schema' && (
        <EditRecord
          site={site}
          path={path}
          record={edited === 'new' ? undefined : edited}
          onClose={close}
          onSaved={settled}
        />
      )}
    </>
  )
}

function NoRecords({ site, path, searched }: { site: Site; path: string; searched: string }) {
  if (searched !== '') return <Empty title="No record has these words" />
  const command = `curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -H 'Content-Type: application/json' -d '{"data":{"title":"The first"}}' '${location.origin}/api/v1${path}'`
  return (
    <Empty title="No record yet" command={command}>
      <p>Press n, or make the first one from a shell:</p>
    </Empty>
  )
}

function RecordTable({
  entries,
  onEdit,
}: {
  entries: readonly StoredRecord[]
  onEdit: (record: StoredRecord) => void
}) {
  const columns = columnsOf(entries)
  return (
    <DataTable label="Records" columns={[...columns, 'Changed']}>
      {entries.map((record) => (
        <tr key={record.id}>
          {columns.map((name) => (
            <td key={name} class="value">
              {textOf(fieldsOf(record)[name])}
            </td>
          ))}
          <td>{formatAge(record.updatedAt)}</td>
          <td class="actions">
            <button type="button" aria-label={`Edit record ${record.id}`} onClick={() => onEdit(record)}>
              Edit
            </button>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

/** The fields that most records have, in the order in which they come first. */
function columnsOf(entries: readonly StoredRecord[]): string[] {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    for (const name of Object.keys(fieldsOf(entry))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const chosen = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, MOST_COLUMNS)
  return [...counts.keys()].filter((name) => chosen.some(([each]) => each === name))
}

function fieldsOf({ data }: StoredRecord): Record<string, unknown> {
  return data
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
