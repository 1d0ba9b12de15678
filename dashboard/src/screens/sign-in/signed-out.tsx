// Shown instead of any screen once the session has ended. A sign-in in another tab counts here too.

import { useEffect } from 'preact/hooks'
import { readSession } from '../../api/session.js'
import { useTitle } from '../../browser/title.js'
import { WaysIn } from './ways-in.js'

export function SignedOutScreen({ onSignedIn }: { onSignedIn: () => void }) {
  useTitle('Signed out')
  useEffect(() => {
    const look = () =>
      void readSession().then(
        (me) => me && onSignedIn(),
        () => undefined,
      )
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [])
  return (
    <main class="narrow">
      <Product />
      <h1>You are not signed in</h1>
      <WaysIn onSignedIn={onSignedIn} to={location.pathname + location.search} />
      <p class="hint">What you wrote and did not publish is kept in this browser.</p>
    </main>
  )
}

/** The name of the product, over the screens without the frame. */
export function Product() {
  return (
    <p class="brand">
      <img src="/icon.svg" alt="" width="24" height="24" />
      <span>Palimpsest</span>
    </p>
  )
}
