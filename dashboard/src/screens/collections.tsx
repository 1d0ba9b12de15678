// The collections of a site, and making another.

import { useState } from 'preact/hooks'
import { call, type Collection, list, type Site } from '../api.js'
import { formatAge } from '../format.js'
import { asApiError, useLoaded } from '../load.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { JsonField, readJson } from '../parts/json-field.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { Await, Empty } from '../parts/state.js'
import { navigate } from '../router.js'

export function CollectionsScreen({ site }: { site: Site }) {
  const [isNewShown, setNewShown] = useState(false)
  const collections = useLoaded<Collection[]>(
    `collections ${site.id}`,
    async (signal) => (await list<Collection>('/collections', { site: site.id, signal })).entries,
  )
  useShortcuts({ n: () => setNewShown(true) })
  const command = `curl -H "Authorization: Bearer $KEY" -H 'x-service-site-id: ${site.id}' \\
  -H 'Content-Type: application/json' -d '{"name":"posts"}' '${location.origin}/api/v1/collections'`
  return (
    <>
      <div class="bar">
        <h2 class="grow">Collections</h2>
        <button type="button" class="main" onClick={() => setNewShown(true)}>
          New collection
        </button>
      </div>
      <Await of={collections}>
        {(data) =>
          data.length === 0 ? (
            <Empty title="No collection yet" command={command}>
              <p>Records are JSON files beside the pages, checked against a schema if you give one.</p>
            </Empty>
          ) : (
            <ul class="cards">
              {data.map(({ id, name, schema, updatedAt }) => (
                <li key={id} class="panel card">
                  <h3>
                    <a href={`/sites/${site.slug}/collections/${id}`}>{name}</a>
                  </h3>
                  <p class="hint">
                    {schema === null ? 'any record' : 'records by a schema'} · {formatAge(updatedAt)}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      {isNewShown && <NewCollection site={site} onClose={() => setNewShown(false)} />}
    </>
  )
}

function NewCollection({ site, onClose }: { site: Site; onClose: () => void }) {
  const [name, setName] = useState('')
  const [schema, setSchema] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const parsed = schema.trim() === '' ? undefined : readJson(schema)
  const create = async () => {
    try {
      const body = { name, ...(parsed !== undefined && { schema: parsed.value }) }
      const made = await call<Collection>('POST', '/collections', { site: site.id, body })
      navigate(`/sites/${site.slug}/collections/${made.id}`)
    } catch (error) {
      setRefusal(asApiError(error).message)
    }
  }
  return (
    <Dialog title="New collection" onClose={onClose} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <Field label="Name" value={name} onValue={setName} problem={refusal} autofocus required />
        <JsonField label="JSON Schema of its records (optional)" text={schema} onText={setSchema} />
        <button type="submit" class="main" disabled={name === '' || parsed?.problem !== undefined}>
          Create the collection
        </button>
      </form>
    </Dialog>
  )
}
