// Asks the person for a fresh proof of who they are, and then lets the request that needs it go on.

import { useEffect, useState } from 'preact/hooks'
import { hasPasskeys, proveWithPasskey } from '../api/passkeys.js'
import { setProofDialog } from '../api/proof.js'
import { asError } from '../api/use-loaded.js'
import { useOneAtATime } from '../browser/use-one-at-a-time.js'
import { Dialog } from '../parts/dialog.js'
import { Providers } from '../screens/sign-in/providers.js'

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
        <button type="button" class="main" onClick={() => void prove()}>
          Use my passkey
        </button>
      )}
      <Providers prove />
      {problem !== undefined && (
        <p class="hint wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
