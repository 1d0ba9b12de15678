// Asks the person for a fresh proof of who they are, and then lets the request that needs it go on.

import { useEffect, useState } from 'preact/hooks'
import { hasPasskeys, proveWithPasskey } from '../api/passkeys.js'
import { setProofDialog } from '../api/proof.js'
import { readProviders } from '../api/session.js'
import { asError, useLoaded } from '../api/use-loaded.js'
import { useOneAtATime } from '../browser/use-one-at-a-time.js'
import { Dialog } from '../parts/overlays/dialog.js'
import { Button, LinkButton } from '../parts/controls/button.js'

export function ProofDialog() {
  const [settle, setSettle] = useState<(isProved: boolean) => void>()
  useEffect(() => {
    setProofDialog(() => new Promise((resolve) => setSettle(() => resolve)))
    return () => setProofDialog(undefined)
  }, [])
  if (settle === undefined) return null
  const close = (isProved: boolean) => {
    setSettle(undefined)
    settle(isProved)
  }
  return (
    <Dialog title="Is it you?" onClose={() => close(false)}>
      <p>This change needs a fresh proof of who you are. It then counts for ten minutes.</p>
      <Proofs onProved={() => close(true)} />
    </Dialog>
  )
}

function Proofs({ onProved }: { onProved: () => void }) {
  const [problem, setProblem] = useState<string>()
  const prove = useOneAtATime(async () => {
    setProblem(undefined)
    try {
      await proveWithPasskey()
      onProved()
    } catch (error) {
      setProblem(asError(error).message)
    }
  })
  return (
    <div class="ways-in">
      {hasPasskeys() && (
        <Button kind="main" autofocus onClick={() => void prove()}>
          Use my passkey
        </Button>
      )}
      <ProviderLinks />
      <p class="hint">
        Neither is at hand? Sign out and come in anew by a link of the operator: that is a proof too. A link of an owner
        is none.
      </p>
      {problem !== undefined && (
        <p class="hint wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Links that lead to a provider and back to this screen, where the person then repeats the change. */
function ProviderLinks() {
  const { data } = useLoaded('providers to prove at', readProviders)
  const query = new URLSearchParams({ prove: '1', to: location.pathname + location.search })
  return (
    <>
      {data?.providers.map(({ id, name }) => (
        // The router of the dashboard must not take this link: the way leads through the service.
        <LinkButton
          key={id}
          class="named"
          href={`/session/provider/${id}?${query}`}
          onClick={(event) => event.stopPropagation()}
        >
          Sign in again at {name}
        </LinkButton>
      ))}
    </>
  )
}
