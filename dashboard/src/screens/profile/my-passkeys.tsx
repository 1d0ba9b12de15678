// The passkeys of the person: add, rename, remove.

import { useState } from 'preact/hooks'
import { api, dataOf, type Passkey, sliceOf } from '../../api/client.js'
import { addPasskey, hasPasskeys } from '../../api/passkeys.js'
import { asError, useLoaded } from '../../api/use-loaded.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { Age } from '../../parts/states/age.js'
import { Table } from '../../parts/lists/table.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { Await } from '../../parts/states/await.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { Button } from '../../parts/controls/button.js'

export function MyPasskeys() {
  const passkeys = useLoaded<readonly Passkey[]>(
    'passkeys',
    async (signal) => sliceOf(await api.GET('/me/passkeys', { signal })).entries,
  )
  const [renamed, setRenamed] = useState<Passkey>()
  const add = useOneAtATime(async () => {
    try {
      const { name } = await addPasskey()
      notify(`The passkey “${name}” is added.`)
      passkeys.reload()
    } catch (error) {
      notifyFailure(error)
    }
  })
  return (
    <section class="panel">
      <div class="bar">
        <h2 class="grow">Passkeys</h2>
        <Button disabled={!hasPasskeys()} onClick={() => void add()}>
          Add a passkey
        </Button>
      </div>
      {!hasPasskeys() && <p class="hint">This browser uses passkeys only over https.</p>}
      <Await of={passkeys}>
        {(entries) => (
          <>
            <Advice passkeys={entries} />
            {entries.length > 0 && (
              <PasskeyTable passkeys={entries} onRename={setRenamed} onRemoved={passkeys.reload} />
            )}
          </>
        )}
      </Await>
      {renamed && (
        <Rename
          passkey={renamed}
          onClose={() => setRenamed(undefined)}
          onRenamed={() => {
            setRenamed(undefined)
            passkeys.reload()
          }}
        />
      )}
    </section>
  )
}

/** Urges people without a passkey to add one, and people with old ones to renew them. */
function Advice({ passkeys }: { passkeys: readonly Passkey[] }) {
  const works = passkeys.filter((passkey) => passkey.works && !passkey.isBorrowed)
  if (passkeys.length === 0)
    return (
      <p>
        You have none. A passkey signs you in without a link, and proves that a change of keys or people is yours. Add
        one.
      </p>
    )
  if (passkeys.some((passkey) => !passkey.works))
    return (
      <p class="wrong" role="alert">
        The address of this service has changed. Passkeys made for another host do not work here: add a new one.
      </p>
    )
  if (works.length === 1)
    return <p class="hint">Add a second one on another device, so that a lost device does not lock you out.</p>
  return null
}

interface TableProps {
  passkeys: readonly Passkey[]
  onRename: (passkey: Passkey) => void
  onRemoved: () => void
}

function PasskeyTable({ passkeys, onRename, onRemoved }: TableProps) {
  const remove = async ({ id, name }: Passkey) => {
    try {
      dataOf(await api.DELETE('/me/passkeys/{id}', { params: { path: { id } } }))
      notify(`The passkey “${name}” is removed. Delete it on its device too.`)
      onRemoved()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const rows = passkeys.map((passkey) => ({
    key: passkey.id,
    cells: [
      <div class="long-text">
        {passkey.name}
        {!passkey.works && <p class="hint wrong">made for {passkey.host}</p>}
        {passkey.isBorrowed && (
          <p class="hint wrong">from a link of an owner, for that workspace alone: remove it, and add a new one</p>
        )}
      </div>,
      <Age of={passkey.createdAt} />,
      passkey.lastUsedAt === null ? 'never' : <Age of={passkey.lastUsedAt} />,
    ],
    actions: (
      <>
        <Button aria-label={`Rename ${passkey.name}`} onClick={() => onRename(passkey)}>
          Rename
        </Button>
        <SureButton label="Remove" sureLabel="Remove for good" of={passkey.name} onSure={() => void remove(passkey)} />
      </>
    ),
  }))
  return <Table label="Passkeys" columns={['Name', 'Added', 'Last used']} headingAt={0} rows={rows} />
}

interface RenameProps {
  passkey: Passkey
  onClose: () => void
  onRenamed: () => void
}

function Rename({ passkey, onClose, onRenamed }: RenameProps) {
  const [name, setName] = useState(passkey.name)
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    try {
      dataOf(await api.PATCH('/me/passkeys/{id}', { params: { path: { id: passkey.id } }, body: { name } }))
      onRenamed()
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  return (
    <Dialog title="Rename the passkey" onClose={onClose}>
      <Form onSubmit={save} class="stack">
        <Field
          label="Name"
          hint="Such as the device that keeps it."
          problem={problem}
          value={name}
          onValue={setName}
          autofocus
          required
        />
        <div class="bar">
          <Button type="submit" kind="main" disabled={name.trim() === ''}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
