// Asks the first owner for a name: commits, invitations and the audit log show it.

import { useState } from 'preact/hooks'
import { api, dataOf } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'

export function GiveName({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    try {
      dataOf(await api.PATCH('/me', { body: { name } }))
      onDone()
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  return (
    <>
      <h1>Welcome</h1>
      <Form onSubmit={save} class="stack">
        <Field
          label="Your name"
          hint="Your changes and invitations show it. You can change it in your profile."
          problem={problem}
          value={name}
          onValue={setName}
          autofocus
          required
        />
        <div class="bar">
          <button type="submit" class="main" disabled={name.trim() === ''}>
            Continue
          </button>
          <button type="button" onClick={onDone}>
            Not now
          </button>
        </div>
      </Form>
    </>
  )
}
