// The API keys of the workspace.

import { useState } from 'preact/hooks'
import { api, type Key, type Me, type NewKey } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { AwaitList, Empty } from '../../parts/state.js'
import { CreateKey } from './create-key.js'
import { KeyTable } from './key-table.js'
import { ShowSecret } from './show-secret.js'

export function KeysScreen({ me }: { me: Me }) {
  const [isNewShown, setNewShown] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const keys = useList<Key>('keys', (cursor, signal) => api.GET('/keys', { params: { query: cursor }, signal }))
  useShortcuts({ n: () => setNewShown(true) })
  useTitle('API keys')
  const showSecret = (key: NewKey) => {
    setNewShown(false)
    setMade(key)
    keys.reload()
  }
  return (
    <>
      <div class="bar">
        <h1 class="grow">API keys</h1>
        <button type="button" class="main" onClick={() => setNewShown(true)}>
          New key
        </button>
      </div>
      <AwaitList of={keys} moreLabel="More keys" empty={<NoKeys />}>
        {(entries) => <KeyTable me={me} keys={entries} onRotated={showSecret} onChanged={keys.reload} />}
      </AwaitList>
      {isNewShown && <CreateKey me={me} onClose={() => setNewShown(false)} onCreated={showSecret} />}
      {made && <ShowSecret made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

function NoKeys() {
  return (
    <Empty title="No keys yet" command="palimpsest keys create --scopes write">
      <p>A program publishes with a key. Create one here, or on the machine that runs the service:</p>
    </Empty>
  )
}
