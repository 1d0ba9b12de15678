// Shown instead of any screen once the session has ended.

import { useTitle } from '../browser/title.js'
import { Empty } from '../parts/state.js'
import { ProviderButtons } from './sign-in/provider-buttons.js'
import { LoginCommand } from './login-command.js'

export function SignedOutScreen() {
  useTitle('Signed out')
  return (
    <main class="narrow">
      <Empty title="You are not signed in">
        <ProviderButtons to={location.pathname} />
        <p>Make a sign-in link on the machine that runs the service, and open it. It works once, for 15 minutes.</p>
        <LoginCommand />
        <p class="hint">What you wrote and did not publish is kept in this browser.</p>
      </Empty>
    </main>
  )
}
