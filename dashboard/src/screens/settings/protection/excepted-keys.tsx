// The keys that publish in a protected site all the same, such as that of a build server.

import { api, type Key, type Protection } from '../../../api/client.js'
import { useList } from '../../../api/use-list.js'
import { type Box, Checklist } from '../../../parts/controls/checklist.js'
import { AwaitList } from '../../../parts/states/await.js'

interface ExceptedKeysProps {
  chosen: readonly string[]
  /** Those that are excepted now; some may be gone. */
  known: Protection['exceptedKeys']
  onChoose: (ids: readonly string[]) => void
}

export function ExceptedKeys({ chosen, known, onChoose }: ExceptedKeysProps) {
  const keys = useList<Key>('keys to except', (cursor, signal) =>
    api.GET('/keys', { params: { query: { limit: 1000, ...cursor } }, signal }),
  )
  return (
    <AwaitList of={keys} moreLabel="More keys" empty={<p class="hint">There are no keys.</p>}>
      {(entries) => (
        <Checklist
          legend="Keys that publish all the same"
          find="Find a key"
          boxes={boxesOf(entries, known)}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </AwaitList>
  )
}

function boxesOf(keys: readonly Key[], known: Protection['exceptedKeys']): Box[] {
  const gone = known.filter(({ id }) => !keys.some((key) => key.id === id))
  const publishing = keys.filter(({ scopes }) => scopes.some((scope) => scope === 'write' || scope === 'admin'))
  return [
    ...gone.map(({ id, label }) => ({ id, label: label ?? 'a key that is gone' })),
    ...publishing.map(({ id, label }) => ({ id, label })),
  ]
}
