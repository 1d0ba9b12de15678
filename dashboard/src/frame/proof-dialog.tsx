// Asks the person for a fresh proof of who they are, and then lets the request that needs it go on.

import { useEffect, useState } from 'preact/hooks'
import { hasPasskeys, proveWithPasskey } from '../api/passkeys.js'
import { setProofDialog } from '../api/proof.js'
import { asError, useLoaded } from '../api/use-loaded.js'
import { useOneAtATime } from '../browser/use-one-at-a-time.js'
import { Dialog } from '../parts/dialog.js'

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
        <button type="button" class="main" autofocus onClick={() => void prove()}>
          Use my passkey
        </button>
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

interface Provider {
  id: string
  name: string
}

/** Links that lead to a provider and back to this screen, where the person then repeats the change. */
function ProviderLinks() {
  const { data = [] } = useLoaded<readonly Provider[]>('providers to prove at', readProviders)
  const query = new URLSearchParams({ prove: '1', to: location.pathname + location.search })
  return (
    <>
      {data.map(({ id, name }) => (
        // The router of the dashboard must not take this link: the way leads through the service.
        <a
          key={id}
          class="button named"
          href={`/session/provider/${id}?${query}`}
          onClick={(event) => event.stopPropagation()}
        >
          Sign in again at {name}
        </a>
      ))}
    </>
  )
}

async function readProviders(signal: AbortSignal): Promise<readonly Provider[]> {
  const response = await fetch('/session/providers', { signal })
  return response.ok ? ((await response.json()) as { data: { providers: Provider[] } }).data.providers : []
}
