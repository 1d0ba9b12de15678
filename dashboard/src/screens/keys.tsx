// API keys: made, shown once, rotated and revoked.

import { useState } from 'preact/hooks'
import { call, type Key, list, type NewKey, type Site } from '../api.js'
import { formatAge, formatTime } from '../format.js'
import { asApiError, useLoaded } from '../load.js'
import { CopyButton } from '../parts/copy-button.js'
import { DataTable } from '../parts/data-table.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { notify, notifyFailure } from '../parts/notices.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { Await, Command, Empty } from '../parts/state.js'

export function KeysScreen() {
  const [isNewShown, setNewShown] = useState(false)
  const [secret, setSecret] = useState<NewKey>()
  const keys = useLoaded<Key[]>('keys', async (signal) => (await list<Key>('/keys', { signal })).entries)
  useShortcuts({ n: () => setNewShown(true) })
  document.title = 'API keys · Palimpsest'
  const show = (made: NewKey) => {
    setNewShown(false)
    setSecret(made)
    keys.reload()
  }
  return (
    <>
      <div class="bar">
        <h1>API keys</h1>
        <button type="button" class="main" onClick={() => setNewShown(true)}>
          New key
        </button>
      </div>
      <Await of={keys}>
        {(data) =>
          data.length === 0 ? (
            <Empty title="No key yet" command={'npm run --silent palimpsest -- keys create --scopes write'}>
              <p>A program publishes with a key. Make one here, or on the machine that runs the service:</p>
            </Empty>
          ) : (
            <KeyTable keys={data} onRotated={show} onChanged={keys.reload} />
          )
        }
      </Await>
      {isNewShown && <CreateKey onClose={() => setNewShown(false)} onCreated={show} />}
      {secret && <Secret made={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

interface KeyTableProps {
  keys: readonly Key[]
  onRotated: (made: NewKey) => void
  onChanged: () => void
}

function KeyTable({ keys, onRotated, onChanged }: KeyTableProps) {
  const rotate = (key: Key) =>
    call<NewKey>('POST', `/keys/${key.id}/rotate`, { body: {} }).then(onRotated, notifyFailure)
  const revoke = async (key: Key) => {
    try {
      await call('DELETE', `/keys/${key.id}`)
      notify(`“${key.label}” is revoked.`)
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <DataTable label="API keys" columns={['Label', 'Key', 'Scopes', 'Last use', 'Ends']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">{key.label}</th>
          <td>
            <code>{key.prefix}</code>
          </td>
          <td>{key.scopes.join(', ')}</td>
          <td>{key.lastUsedAt === null ? 'never' : formatAge(key.lastUsedAt)}</td>
          <td>{key.expiresAt === null ? 'never' : formatTime(key.expiresAt)}</td>
          <td class="actions">
            <button type="button" aria-label={`Rotate ${key.label}`} onClick={() => void rotate(key)}>
              Rotate
            </button>
            <RevokeButton label={key.label} onRevoke={() => void revoke(key)} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

/** Nothing brings a revoked key back, so this one act takes two presses. */
function RevokeButton({ label, onRevoke }: { label: string; onRevoke: () => void }) {
  const [isArmed, setArmed] = useState(false)
  return (
    <button
      type="button"
      class={isArmed ? 'danger' : ''}
      aria-label={isArmed ? `Revoke ${label} for good` : `Revoke ${label}`}
      onBlur={() => setArmed(false)}
      onClick={() => (isArmed ? onRevoke() : setArmed(true))}
    >
      {isArmed ? 'Revoke for good' : 'Revoke'}
    </button>
  )
}

const SCOPES = ['read', 'write', 'admin'] as const

function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (made: NewKey) => void }) {
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('write')
  const [sites, setSites] = useState<readonly string[]>([])
  const [end, setEnd] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const known = useLoaded<Site[]>('sites of a key', async (signal) => (await list<Site>('/sites', { signal })).entries)
  const create = async () => {
    const body = {
      label,
      scopes: [scope],
      sites: sites.length === 0 ? null : sites,
      expiresAt: end === '' ? null : new Date(`${end}T23:59:59`).toISOString(),
    }
    try {
      onCreated(await call<NewKey>('POST', '/keys', { body }))
    } catch (error) {
      setRefusal(asApiError(error).message)
    }
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <Field
          label="Label"
          hint="The name that its commits carry as author."
          problem={refusal}
          value={label}
          onValue={setLabel}
          autofocus
          required
        />
        <fieldset>
          <legend>May</legend>
          {SCOPES.map((each) => (
            <label key={each}>
              <input type="radio" name="scope" checked={scope === each} onChange={() => setScope(each)} /> {each}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Sites (none chosen: all)</legend>
          {known.data?.map(({ id, slug }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={sites.includes(id)}
                onChange={() => setSites(sites.includes(id) ? sites.filter((site) => site !== id) : [...sites, id])}
              />{' '}
              {slug}
            </label>
          ))}
        </fieldset>
        <Field label="Ends on" hint="Empty: never." type="date" value={end} onValue={setEnd} />
        <button type="submit" class="main" disabled={label === ''}>
          Create the key
        </button>
      </form>
    </Dialog>
  )
}

function Secret({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const command = `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer ${made.key}" \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
  return (
    <Dialog title={`The key “${made.label}”`} onClose={onClose} wide>
      <p>This is the only time that it is shown. Keep it where secrets are kept.</p>
      <div class="command">
        <pre tabIndex={0} role="region" aria-label="The key">
          <code>{made.key}</code>
        </pre>
        <CopyButton text={made.key} label="Copy the key" />
      </div>
      {made.scopes.some((scope) => scope !== 'read') && (
        <>
          <p>It publishes a page like this:</p>
          <Command text={command} />
        </>
      )}
    </Dialog>
  )
}
