// The dialog that shows a new key, once, with a command that uses it.

import type { NewKey } from '../../api/client.js'
import { Dialog } from '../../parts/dialog.js'
import { Command } from '../../parts/state.js'

export function ShowSecret({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const command = `echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer ${made.key}" \\
  -T - '${location.origin}/api/v1/pages?path=/hello'`
  return (
    <Dialog title={`The key “${made.label}”`} onClose={onClose} wide>
      <p>This key is shown only now. Store it where you keep your secrets.</p>
      <Command text={made.key} label="The key" />
      {made.scopes.some((scope) => scope !== 'read') && (
        <>
          <p>This command publishes a page with it:</p>
          <Command text={command} />
        </>
      )}
    </Dialog>
  )
}
