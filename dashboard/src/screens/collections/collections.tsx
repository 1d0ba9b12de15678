// The collections of a site.

import { useState } from 'preact/hooks'
import { type Collection, type Site, siteApi } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { formatCount, nameOfSite } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Age } from '../../parts/states/age.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { KeyHint } from './key-hint.js'
import { fieldsOf } from './fields/read-schema.js'
import { titleOfCollection } from './schema/collection-name.js'
import { NewCollection } from './schema/new-collection.js'
import '../../styles/records.css'

export function CollectionsScreen({ site }: { site: Site }) {
  const [isNewShown, setNewShown] = useState(false)
  const collections = useList<Collection>(`collections ${site.id}`, (cursor, signal) =>
    siteApi(site).GET('/collections', { params: { query: cursor }, signal }),
  )
  useShortcuts(useMay()('write') ? { n: () => setNewShown(true) } : {})
  useTitle('Collections', nameOfSite(site))
  return (
    <>
      <div class="bar">
        <h2 class="grow">Collections</h2>
        <Allowed to="write">
          <Button kind="main" icon="add" onClick={() => setNewShown(true)}>
            New collection
          </Button>
        </Allowed>
      </div>
      <AwaitList
        of={collections}
        moreLabel="More collections"
        empty={<NoCollections site={site} onNew={() => setNewShown(true)} />}
      >
        {(entries) => (
          <ul class="cards">
            {entries.map((collection) => (
              <CollectionCard key={collection.id} site={site} collection={collection} />
            ))}
          </ul>
        )}
      </AwaitList>
      {isNewShown && <NewCollection site={site} onClose={() => setNewShown(false)} />}
    </>
  )
}

interface CollectionCardProps {
  site: Site
  collection: Collection
}

const MAX_NAMED_FIELDS = 4

function CollectionCard({ site, collection }: CollectionCardProps) {
  const { id, name, schema, updatedAt } = collection
  const title = titleOfCollection(collection)
  const fields = fieldsOf(schema) ?? []
  const named = fields.slice(0, MAX_NAMED_FIELDS).map(({ label }) => label)
  const others = fields.length - named.length
  return (
    <li class="panel card">
      <h3>
        <a href={`/sites/${site.slug}/collections/${id}`}>{title}</a>
      </h3>
      <p class="hint">
        {fields.length === 0 ? 'Any fields' : named.join(', ')}
        {others > 0 && ` and ${formatCount(others, 'other')}`}
      </p>
      <p class="hint">
        {title !== name && `${name} · `}changed <Age of={updatedAt} />
      </p>
    </li>
  )
}

function NoCollections({ site, onNew }: { site: Site; onNew: () => void }) {
  const may = useMay()
  if (!may('write')) return <EmptyState icon="data" title="No collections yet" />
  const command = `curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -H 'Content-Type: application/json' -d '{"name":"posts"}' '${location.origin}/api/v1/collections'`
  return (
    <EmptyState
      icon="data"
      title="No collections yet"
      action={<Button onClick={onNew}>Make the first one</Button>}
      command={command}
    >
      <p>A collection is a table beside the pages: books, events, people. You say which fields its records have.</p>
      <KeyHint />
    </EmptyState>
  )
}
