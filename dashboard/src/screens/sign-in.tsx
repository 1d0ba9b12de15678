// Takes the token behind the # of a sign-in link, and uses it up.

import { useEffect, useState } from 'preact/hooks'
import { type ApiError, signIn } from '../api.js'
import { asApiError } from '../load.js'
import { Command, Failure } from '../parts/state.js'
import { navigate } from '../router.js'

export function SignInScreen({ onSignedIn }: { onSignedIn: () => void }) {
  const [token] = useState(() => location.hash.slice(1))
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    document.title = 'Sign in · Palimpsest'
    if (token === '') return
    // The token is out of the address, and of the history, before anything else happens.
    history.replaceState(null, '', '/sign-in')
    signIn(token).then(
      () => {
        onSignedIn()
        navigate('/', { replace: true })
      },
      (failure: unknown) => setError(asApiError(failure)),
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
          <p>Make a sign-in link on the machine that runs the service, and open it here within 15 minutes:</p>
          <Command text="npm run --silent palimpsest -- login-link" />
        </>
      )}
    </main>
  )
}
