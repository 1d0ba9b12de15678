// The name of the person, which commits have as their author.

import { useState } from 'preact/hooks'
import { api, dataOf } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notify } from '../../parts/notices.js'

export function MyName({ name: before, onChanged }: { name: string; onChanged: () => void }) {
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
          hint="The author of your commits. Earlier commits keep the name that they have."
          problem={problem}
          value={name}
          onValue={setName}
          required
        />
        <button type="submit" disabled={name === before || name.trim() === ''}>
          Save the name
        </button>
      </Form>
    </section>
  )
}
