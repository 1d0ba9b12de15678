// The application: the sign-in screen, or the frame with the screen that the address selects.

import { useEffect, useState } from 'preact/hooks'
import { whenSignedOut } from './api/client.js'
import { followLinks, matchPath, usePath } from './browser/router.js'
import { ConnectionBar } from './frame/connection-bar.js'
import { Frame } from './frame/frame.js'
import { ProofDialog } from './frame/proof-dialog.js'
import { Late } from './parts/states/late.js'
import { Notices } from './parts/overlays/notices.js'
import { SignInScreen } from './screens/sign-in/sign-in.js'
import { SignedOutScreen } from './screens/sign-in/signed-out.js'
import type { CameBy } from './screens/sign-in/welcome.js'

type Shown = 'screens' | CameBy | 'signed out'

export function App() {
  const path = usePath()
  const [shown, setShown] = useState<Shown>('screens')
  useEffect(() => whenSignedOut(() => setShown('signed out')), [])
  if (path === '/sign-in') return <SignInScreen onSignedIn={(by) => setShown(by === 'link' ? 'link' : 'screens')} />
  if (path === '/join')
    return (
      <Late of="first screens" load={loadFirst}>
        {({ JoinScreen }) => <JoinScreen onJoined={() => setShown('invitation')} />}
      </Late>
    )
  if (path === '/review')
    return (
      <>
        <ConnectionBar />
        <Late of="review of a guest" load={loadGuestReview}>
          {({ GuestReviewScreen }) => <GuestReviewScreen />}
        </Late>
      </>
    )
  const consent = matchPath('/consent/:uid', path)
  if (consent !== undefined)
    return (
      <>
        <ConnectionBar />
        <Late of="first screens" load={loadFirst}>
          {({ ConsentScreen }) => <ConsentScreen uid={consent['uid'] ?? ''} />}
        </Late>
        <ProofDialog />
      </>
    )
  return (
    <div onClick={followLinks}>
      <ConnectionBar />
      {(shown === 'link' || shown === 'invitation') && (
        <Late of="first screens" load={loadFirst}>
          {({ Welcome }) => <Welcome by={shown} onDone={() => setShown('screens')} />}
        </Late>
      )}
      {shown === 'signed out' && <SignedOutScreen onSignedIn={() => setShown('screens')} />}
      {shown === 'screens' && <Frame path={path} />}
      <ProofDialog />
      <Notices />
    </div>
  )
}

async function loadFirst() {
  return await import('./screens/first-screens.js')
}

async function loadGuestReview() {
  return await import('./screens/guests/guest-review.js')
}
