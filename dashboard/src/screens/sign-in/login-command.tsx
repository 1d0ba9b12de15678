// Shows the command that makes a sign-in link.

import { Command } from '../../parts/state.js'

export function LoginCommand() {
  return (
    <>
      <Command text="palimpsest login-link" />
      <p class="hint">
        In a checkout of the service: <code>npm run --silent palimpsest -- login-link</code>
      </p>
    </>
  )
}
