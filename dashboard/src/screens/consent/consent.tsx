// Consent: a program asks to act for the person, who sees who asks, and narrows what it may do.

import { useEffect } from 'preact/hooks'
import { type ConsentData, readConsent } from '../../api/consent.js'
import { Refusal } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { keepReturnPath } from '../../browser/return-path.js'
import { navigate } from '../../browser/router.js'
import { useTitle } from '../../browser/title.js'
import { Await } from '../../parts/states/await.js'
import { Avatar } from '../../parts/states/avatar.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { Product } from '../sign-in/signed-out.js'
import { ConsentForm } from './consent-form.js'

export function ConsentScreen({ uid }: { uid: string }) {
  const asked = useLoaded<ConsentData>(`consent ${uid}`, async (signal) => await readConsent(uid, signal))
  useTitle('Connect a program')
  const isSignedOut = asked.error instanceof Refusal && asked.error.status === 401
  useEffect(() => {
    if (!isSignedOut) return
    keepReturnPath(location.pathname)
    navigate('/sign-in', { replace: true })
  }, [isSignedOut])
  if (isSignedOut) return null
  return (
    <main class="narrow">
      <Product />
      <Await of={asked}>
        {(data) => (
          <>
            <Avatar name={data.client} isAgent isLarge />
            <h1>Connect “{data.client}”?</h1>
            <Asker asked={data} />
            {data.workspaces.length === 0 ? (
              <EmptyState title="You are in no workspace">
                <p>A program acts in a workspace of yours. Ask an owner for an invitation.</p>
              </EmptyState>
            ) : (
              <ConsentForm uid={uid} asked={data} />
            )}
          </>
        )}
      </Await>
    </main>
  )
}

/** Says who asks, in words that a program cannot make up. */
function Asker({ asked: { client, provenHost, goesTo, person } }: { asked: ConsentData }) {
  return (
    <div class="panel">
      {provenHost === null ? (
        <p>
          A program that calls itself <b class="long-text">{client}</b> asks to act for you. It chose this name itself,
          and nobody has checked it.
        </p>
      ) : (
        <p>
          A program of <b class="long-text">{provenHost}</b> asks to act for you. It calls itself {client}.
        </p>
      )}
      {goesTo === null ? (
        <p>It showed you a code. Allow it only if you started it yourself, just now.</p>
      ) : (
        <p>
          The browser goes next to <b class="long-text">{goesTo}</b>
          {isThisMachine(goesTo) && ', a program on this machine'}. If you did not start it there, deny.
        </p>
      )}
      <p class="hint">You are {person}. It can never do more than you, and you can disconnect it at any time.</p>
    </div>
  )
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host)
}
