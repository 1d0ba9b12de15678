// The application: the sign-in screen, or the frame with the screen that the address selects.

import { useEffect, useState } from 'preact/hooks'
import { whenSignedOut } from './api/client.js'
import { followLinks, usePath } from './browser/router.js'
import { Frame } from './frame/frame.js'
import { Notices } from './parts/notices.js'
import { JoinScreen } from './screens/join.js'
import { SignInScreen } from './screens/sign-in.js'
import { SignedOutScreen } from './screens/signed-out.js'

export function App() {
  const path = usePath()
  const [isSignedOut, setSignedOut] = useState(false)
  useEffect(() => whenSignedOut(() => setSignedOut(true)), [])
  if (path === '/sign-in') return <SignInScreen onSignedIn={() => setSignedOut(false)} />
  if (path === '/join') return <JoinScreen onJoined={() => setSignedOut(false)} />
  return (
    <div onClick={followLinks}>
      {isSignedOut ? <SignedOutScreen /> : <Frame path={path} />}
      <Notices />
    </div>
  )
}
