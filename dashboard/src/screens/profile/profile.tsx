// My profile: the name, the ways to sign in, the sessions by device, and leaving.

import { useState } from 'preact/hooks'
import { api, dataOf, type Me } from '../../api/client.js'
import { useTitle } from '../../browser/title.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { Identities } from './identities.js'
import { MyPasskeys } from './my-passkeys.js'
import { MySessions } from './my-sessions.js'
import { asError } from '../../api/use-loaded.js'
import { Refusal } from '../../parts/states/refusal.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { notify } from '../../parts/overlays/notices.js'
import { Button } from '../../parts/controls/button.js'

export function ProfileScreen({ me, onChanged }: { me: Me; onChanged: () => void }) {
  useTitle('My profile')
  if (me.person === null)
    return (
      <EmptyState title="This session has no profile">
        <p>It began before people had accounts. Sign out, and come in with a new link: then you have one.</p>
      </EmptyState>
    )
  if (me.isBorrowed)
    return (
      <>
        <EmptyState title="A link of an owner opened this session">
          <p>
            It is for the workspace {me.workspace.name} alone, and shows and changes nothing of your account. Sign out,
            and come in with a passkey or an account of your own. Without one, ask the operator to run “palimpsest
            login-link”.
          </p>
        </EmptyState>
        <LeaveWorkspace me={me} />
      </>
    )
  return (
    <>
      <h1>My profile</h1>
      <p class="hint under-heading">
        Your role in the workspace {me.workspace.name}: {me.person.role}
      </p>
      <MyName name={me.person.name} onChanged={onChanged} />
      <MyPasskeys />
      <Identities />
      <MySessions />
      <LeaveWorkspace me={me} />
    </>
  )
}

/** Leaving the workspace: the membership ends, with the person's keys and agents there. */
function LeaveWorkspace({ me: { workspace } }: { me: Me }) {
  const [refusal, setRefusal] = useState<string>()
  const leave = async () => {
    setRefusal(undefined)
    try {
      dataOf(await api.DELETE('/me/workspaces/{id}', { params: { path: { id: workspace.id } } }))
      // Everything on the screen is of the workspace that was left.
      location.assign('/')
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <section class="panel">
      <div class="bar">
        <h2 class="grow">Leave</h2>
        <SureButton label="Leave" sureLabel="Leave now" of={workspace.name} onSure={() => void leave()} />
      </div>
      <p class="hint">
        You can do nothing in {workspace.name} then, and your keys and agents there end. What you published stays.
      </p>
      <Refusal of={refusal} />
    </section>
  )
}

/** The name of the person, which commits have as their author. */
function MyName({ name: before, onChanged }: { name: string; onChanged: () => void }) {
  const [name, setName] = useState(before)
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    setProblem(undefined)
    try {
      dataOf(await api.PATCH('/me', { body: { name } }))
      notify(`Your name is ${name} from now on.`)
      onChanged()
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  return (
    <section class="panel">
      <h2>Name</h2>
      <Form onSubmit={save}>
        <Field
          label="Your name"
          hint="Your changes show it. Earlier changes keep the name that they have."
          problem={problem}
          value={name}
          onValue={setName}
          required
        />
        <Button type="submit" disabled={name === before || name.trim() === ''}>
          Save the name
        </Button>
      </Form>
    </section>
  )
}
