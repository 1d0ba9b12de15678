// Leaving the workspace: the membership ends, with the person's keys and agents there.

import { useState } from 'preact/hooks'
import { api, dataOf, type Me } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { SureButton } from '../../parts/sure-button.js'

export function LeaveWorkspace({ me: { workspace } }: { me: Me }) {
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
      {refusal !== undefined && (
        <p class="wrong" role="alert">
          {refusal}
        </p>
      )}
    </section>
  )
}
