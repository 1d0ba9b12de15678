// Begins a session with the token of a sign-in link, which stands behind the # of the address.

import { useEffect, useState } from 'preact/hooks'
import { signIn } from '../api/session.js'
import { asError } from '../api/use-loaded.js'
import { navigate } from '../browser/router.js'
import { useTitle } from '../browser/title.js'
import { Failure } from '../parts/state.js'
import { LoginCommand } from './login-command.js'

export function SignInScreen({ onSignedIn }: { onSignedIn: () => void }) {
  const [token] = useState(() => location.hash.slice(1))
  const [error, setError] = useState<Error>()
  useTitle('Sign in')
  useEffect(() => {
    if (token === '') return
    // The token leaves the address, and so the browser's history, before anything else happens.
    history.replaceState(null, '', '/sign-in')
    signIn(token).then(
      () => {
        onSignedIn()
        navigate('/', { replace: true })
      },
      (failure: unknown) => setError(asError(failure)),
    )
  }, [])
  return (
    <main class="narrow">
      <h1>Palimpsest</h1>
      {token !== '' && error === undefined ? (
        <p role="status">Signing in…</p>
      ) : (
        <>
          {error && <Failure error={error} />}
          <p>Make a sign-in link on the machine that runs the service, and open it within 15 minutes:</p>
          <LoginCommand />
        </>
      )}
    </main>
  )
}
