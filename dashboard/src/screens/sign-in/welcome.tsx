// Welcomes somebody who came in by a link or an invitation: a name if nobody gave one, a passkey, and the workspace.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Me } from '../../api/client.js'
import { readSession } from '../../api/session.js'
import { useTitle } from '../../browser/title.js'
import { Facts } from '../../parts/facts.js'
import { wordRole } from '../../parts/roles.js'
import { GiveName } from './give-name.js'
import { isPasskeyWanted, OfferPasskey } from './offer-passkey.js'
import { Product } from './signed-out.js'

export type CameBy = 'link' | 'invitation'
type Step = 'name' | 'passkey' | 'in'

/** The name that the service gives the first owner. */
const NO_NAME = 'Owner'

interface WelcomeProps {
  by: CameBy
  onDone: () => void
}

export function Welcome({ by, onDone }: WelcomeProps) {
  const [me, setMe] = useState<Me>()
  const [steps, setSteps] = useState<readonly Step[]>([])
  const [step] = steps
  useTitle('Welcome')
  useEffect(() => {
    void findSteps(by).then(([found, ...first]) => {
      setMe(found)
      if (first.length === 0) onDone()
      else setSteps(first)
    }, onDone)
  }, [])
  const main = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const field = main.current?.querySelector<HTMLElement>('[autofocus]')
    ;(field ?? main.current)?.focus()
  }, [step])
  const next = () => (steps.length === 1 ? onDone() : setSteps(steps.slice(1)))
  return (
    <main class="narrow" ref={main} tabIndex={-1}>
      <Product />
      {step === 'name' && <GiveName onDone={next} />}
      {step === 'passkey' && <OfferPasskey onDone={next} />}
      {step === 'in' && me !== undefined && <Arrival me={me} onDone={next} />}
    </main>
  )
}

/** Returns who came in, and the steps that are left. Somebody who comes back by a link needs no last one. */
async function findSteps(by: CameBy): Promise<[me: Me | undefined, ...steps: Step[]]> {
  const me = await readSession()
  const isNameless = me?.person?.name === NO_NAME
  const isNew = isNameless || by === 'invitation'
  const steps: Step[] = isNameless ? ['name'] : []
  if (await isPasskeyWanted()) steps.push('passkey')
  if (isNew) steps.push('in')
  return [me, ...steps]
}

function Arrival({ me: { workspace, person, key }, onDone }: { me: Me; onDone: () => void }) {
  return (
    <>
      <h1>You are in {workspace.name}</h1>
      <Facts
        facts={[
          ...(person === null ? [] : [['Your role', wordRole(person.role)] as [string, string]]),
          ['Sites', key.siteSlugs === null ? 'all' : key.siteSlugs.join(', ')],
        ]}
      />
      <div class="bar">
        <button type="button" class="main" onClick={onDone}>
          Go to the sites
        </button>
      </div>
    </>
  )
}
