// The API keys of the workspace.

import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Key, type Me, type NewKey, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useSiteNames } from '../../api/use-site-names.js'
import { replaceQuery, useQuery } from '../../browser/router.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { Await, AwaitList } from '../../parts/states/await.js'
import { Command } from '../../parts/states/command.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { CreateKey } from './create-key.js'
import { KeyTable } from './key-table.js'
import { useLoaded } from '../../api/use-loaded.js'
import { nameOfSite } from '../../format.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Button } from '../../parts/controls/button.js'

export function KeysScreen({ me }: { me: Me }) {
  const [isNewShown, setNewShown] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const keys = useList<Key>('keys', (cursor, signal) => api.GET('/keys', { params: { query: cursor }, signal }))
  useShortcuts({ n: () => setNewShown(true) })
  const isNewAsked = useQuery().has('new')
  useEffect(() => {
    if (!isNewAsked) return
    setNewShown(true)
    replaceQuery({ new: '' })
  }, [isNewAsked])
  useTitle('API keys')
  const namesOf = useSiteNames()
  const showSecret = (key: NewKey) => {
    setNewShown(false)
    setMade(key)
    keys.reload()
  }
  return (
    <>
      <div class="bar">
        <h1 class="grow">API keys</h1>
        <Button kind="main" onClick={() => setNewShown(true)}>
          New key
        </Button>
      </div>
      <AwaitList of={keys} moreLabel="More keys" empty={<NoKeys />}>
        {(entries) => (
          <KeyTable me={me} keys={entries} namesOf={namesOf} onRotated={showSecret} onChanged={keys.reload} />
        )}
      </AwaitList>
      {isNewShown && <CreateKey me={me} onClose={() => setNewShown(false)} onCreated={showSecret} />}
      {made && <ShowSecret made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

function NoKeys() {
  return (
    <EmptyState title="No keys yet" command="palimpsest keys create --scopes write">
      <p>A program publishes with a key. Create one here, or on the machine that runs the service:</p>
    </EmptyState>
  )
}

/** The dialog that shows a new key, once, with a command that uses it. */
function ShowSecret({ made, onClose }: { made: NewKey; onClose: () => void }) {
  return (
    <Dialog title={`The key “${made.label}”`} onClose={onClose} wide>
      <p>This key is shown only now. Store it where you keep your secrets.</p>
      <Command text={made.key} label="The key" />
      {made.scopes.some((scope) => scope !== 'read') && <FirstUse made={made} />}
    </Dialog>
  )
}

function FirstUse({ made }: { made: NewKey }) {
  const found = useLoaded<Site | undefined>(`site of ${made.id}`, () => findSite(made))
  return (
    <Await of={found}>
      {(site) =>
        site && (
          <>
            <p>This command publishes a page of {nameOfSite(site)} with it:</p>
            <Command text={commandFor(made, site)} />
          </>
        )
      }
    </Await>
  )
}

/** Returns the default site if the key may write to it; otherwise another one. */
async function findSite({ sites }: NewKey): Promise<Site | undefined> {
  if (sites?.[0] !== undefined) return dataOf(await api.GET('/sites/{id}', { params: { path: { id: sites[0] } } }))
  const all = dataOf(await api.GET('/sites', { params: { query: { limit: 1000 } } }))
  return all.find(({ isDefault }) => isDefault) ?? all[0]
}

function commandFor({ key }: NewKey, { id }: Site): string {
  return `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer ${key}" -H 'x-service-site-id: ${id}' \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
}
