// Offers a passkey to somebody who came in by a link, which works only once.

import { useState } from 'preact/hooks'
import { api, sliceOf } from '../../api/client.js'
import { addPasskey, hasPasskeys } from '../../api/passkeys.js'
import { asError } from '../../api/use-loaded.js'
import { keep, readKept } from '../../browser/storage.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { notify } from '../../parts/overlays/notices.js'
import { Button } from '../../parts/controls/button.js'

const DECLINED = 'passkey-declined'

/** Whether a person here should have a passkey: the browser can have one, the person has none, and did not decline. */
export async function isPasskeyWanted(): Promise<boolean> {
  if (!hasPasskeys() || readKept(DECLINED) !== null) return false
  const answer = await api.GET('/me/passkeys').catch(() => undefined)
  return answer?.response.ok === true && sliceOf(answer).entries.every(({ works }) => !works)
}

export function OfferPasskey({ onDone }: { onDone: () => void }) {
  const [problem, setProblem] = useState<string>()
  const add = useOneAtATime(async () => {
    try {
      const { name } = await addPasskey()
      notify(`The passkey “${name}” signs you in from now on.`)
      onDone()
    } catch (error) {
      setProblem(asError(error).message)
    }
  })
  const decline = () => {
    keep(DECLINED, 'yes')
    onDone()
  }
  return (
    <>
      <h1>Come back with a passkey</h1>
      <p>
        Your link works only once. A passkey signs you in from now on: with your finger, your face, or the code of this
        device. There is no password.
      </p>
      {problem !== undefined && (
        <p class="hint wrong" role="alert">
          {problem}
        </p>
      )}
      <div class="bar">
        <Button kind="main" onClick={() => void add()}>
          Add a passkey
        </Button>
        <Button onClick={decline}>Not now</Button>
      </div>
      <p class="hint">
        If you skip it: when you are signed out, only a new link from an owner lets you in. You can add a passkey later
        in your profile.
      </p>
    </>
  )
}
