// Begins a session with the token of a sign-in link, which is after the # in the address. An existing session is replaced
// only if the person agrees: the link may belong to somebody else and lead to another workspace.

import { useEffect, useState } from 'preact/hooks'
import type { Me } from '../../api/client.js'
import { readSession, signIn } from '../../api/session.js'
import { asError } from '../../api/use-loaded.js'
import { takeReturnPath } from '../../browser/return-path.js'
import { navigate } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { ErrorNotice } from '../../parts/states/error-notice.js'
import { Product } from './signed-out.js'
import { WaysIn } from './ways-in.js'
import { Button } from '../../parts/controls/button.js'

type State =
  | { is: 'waiting for a link' }
  | { is: 'signing in' }
  | { is: 'asking'; token: string; me: Me }
  | { is: 'refused'; error: Error }

export function SignInScreen({ onSignedIn }: { onSignedIn: (by: 'link' | 'passkey') => void }) {
  const [state, setState] = useState<State>({ is: 'waiting for a link' })
  useTitle('Sign in')
  const enter = (by: 'link' | 'passkey') => {
    onSignedIn(by)
    navigate(takeReturnPath() ?? '/', { replace: true })
  }
  const use = async (token: string) => {
    setState({ is: 'signing in' })
    try {
      await signIn(token)
      enter('link')
    } catch (error) {
      setState({ is: 'refused', error: asError(error) })
    }
  }
  const takeLink = async () => {
    const token = location.hash.slice(1)
    if (token === '') return
    // Removes the token from the address, and so from the browser's history, before anything else happens.
    history.replaceState(null, '', '/sign-in')
    setState({ is: 'signing in' })
    try {
      const me = await readSession()
      if (me === undefined) await use(token)
      else setState({ is: 'asking', token, me })
    } catch (error) {
      setState({ is: 'refused', error: asError(error) })
    }
  }
  useEffect(() => {
    // A link pasted into the tab that shows this screen changes only the part after the #.
    const onHashChange = () => void takeLink()
    onHashChange()
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  return (
    <main class="narrow">
      <Product />
      {state.is !== 'asking' && <h1>Sign in</h1>}
      {state.is === 'signing in' && <p role="status">Signing in…</p>}
      {state.is === 'asking' && <Question me={state.me} onUse={() => void use(state.token)} />}
      {state.is === 'refused' && <ErrorNotice error={state.error} />}
      {(state.is === 'refused' || state.is === 'waiting for a link') && (
        <WaysIn onSignedIn={() => enter('passkey')} isCommandShown={state.is === 'refused'} />
      )}
    </main>
  )
}

function Question({ me, onUse }: { me: Me; onUse: () => void }) {
  return (
    <section class="panel" role="alert">
      <h2>You are signed in already</h2>
      <p>
        You are {me.key.label} in the workspace {me.workspace.name}. This link signs you in anew, perhaps into another
        workspace, and ends the present session. Use it only if you asked for it.
      </p>
      <div class="bar">
        <Button kind="main" onClick={() => navigate('/', { replace: true })}>
          Stay signed in
        </Button>
        <Button onClick={onUse}>Use the link</Button>
      </div>
    </section>
  )
}
