// The collections of a site.

import { useState } from 'preact/hooks'
import { type Collection, type Site, siteApi } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Age } from '../../parts/age.js'
import { Allowed, useMay } from '../../parts/allowed.js'
import { KeyHint } from '../../parts/key-hint.js'
import { AwaitList, Empty } from '../../parts/state.js'
import { NewCollection } from './new-collection.js'

export function CollectionsScreen({ site }: { site: Site }) {
  const [isNewShown, setNewShown] = useState(false)
  const collections = useList<Collection>(`collections ${site.id}`, (cursor, signal) =>
    siteApi(site).GET('/collections', { params: { query: cursor }, signal }),
  )
  useShortcuts(useMay()('write') ? { n: () => setNewShown(true) } : {})
  useTitle('Collections', site.slug)
  return (
    <>
      <div class="bar">
        <h2 class="grow">Collections</h2>
        <Allowed to="write">
          <button type="button" class="main" onClick={() => setNewShown(true)}>
            New collection
          </button>
        </Allowed>
      </div>
      <AwaitList of={collections} moreLabel="More collections" empty={<NoCollections site={site} />}>
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

function CollectionCard({ site, collection: { id, name, schema, updatedAt } }: CollectionCardProps) {
  return (
    <li class="panel card">
      <h3>
        <a href={`/sites/${site.slug}/collections/${id}`}>{name}</a>
      </h3>
      <p class="hint">
        {schema === null ? 'no schema' : 'with a schema'} · changed <Age of={updatedAt} />
      </p>
    </li>
  )
}

function NoCollections({ site }: { site: Site }) {
  const may = useMay()
  if (!may('write')) return <Empty title="No collections yet" />
  const command = `curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -H 'Content-Type: application/json' -d '{"name":"posts"}' '${location.origin}/api/v1/collections'`
  return (
    <Empty title="No collections yet" command={command}>
      <p>A collection holds records: JSON files beside the pages, checked against a schema if you give one.</p>
      <KeyHint />
    </Empty>
  )
}
