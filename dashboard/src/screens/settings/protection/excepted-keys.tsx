// The keys that publish in a protected site all the same, such as that of a build server.

import { api, type Key, type Protection } from '../../../api/client.js'
import { useList } from '../../../api/use-list.js'
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
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <fieldset class="many">
      <legend>Keys that publish all the same</legend>
      <AwaitList of={keys} moreLabel="More keys" empty={<p class="hint">There are no keys.</p>}>
        {(entries) => (
          <>
            {known
              .filter(({ id }) => !entries.some((key) => key.id === id))
              .map(({ id, label }) => (
                <Choice
                  key={id}
                  label={label ?? 'a key that is gone'}
                  isOn={chosen.includes(id)}
                  onToggle={() => toggle(id)}
                />
              ))}
            {entries
              .filter(({ scopes }) => scopes.some((scope) => scope === 'write' || scope === 'admin'))
              .map(({ id, label }) => (
                <Choice key={id} label={label} isOn={chosen.includes(id)} onToggle={() => toggle(id)} />
              ))}
          </>
        )}
      </AwaitList>
    </fieldset>
  )
}

function Choice({ label, isOn, onToggle }: { label: string; isOn: boolean; onToggle: () => void }) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={onToggle} /> {label}
    </label>
  )
}
