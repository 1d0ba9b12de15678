// Welcomes somebody who came in by a link or an invitation: a name if nobody gave one, a passkey, and the workspace.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, dataOf, type Me } from '../../api/client.js'
import { readSession } from '../../api/session.js'
import { useTitle } from '../../browser/title.js'
import { Facts } from '../../parts/lists/facts.js'
import { YOU_MAY } from '../../parts/rights/roles.js'
import { isPasskeyWanted, OfferPasskey } from './offer-passkey.js'
import { Product } from './signed-out.js'
import { asError } from '../../api/use-loaded.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { Button } from '../../parts/controls/button.js'

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
  const [all, setAll] = useState(0)
  const [step] = steps
  useTitle('Welcome')
  useEffect(() => {
    void findSteps(by).then(([found, ...first]) => {
      setMe(found)
      if (first.length === 0) onDone()
      else {
        setSteps(first)
        setAll(first.length)
      }
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
      {all > 1 && step !== undefined && (
        <p class="hint">
          Step {all - steps.length + 1} of {all}
        </p>
      )}
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
      {person !== null && <p class="you-may">{YOU_MAY[person.role]}</p>}
      <Facts
        facts={[
          ...(person === null ? [] : [['Your role', person.role] as [string, string]]),
          ['Sites', key.siteSlugs === null ? `all of ${workspace.name}` : key.siteSlugs.join(', ')],
        ]}
      />
      <div class="bar">
        <Button kind="main" onClick={onDone}>
          Go to the sites
        </Button>
      </div>
    </>
  )
}

/** Asks the first owner for a name: commits, invitations and the audit log show it. */
function GiveName({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    try {
      dataOf(await api.PATCH('/me', { body: { name } }))
      onDone()
    } catch (error) {
      setProblem(asError(error).message)
    }
  }
  return (
    <>
      <h1>Welcome</h1>
      <Form onSubmit={save} class="stack">
        <Field
          label="Your name"
          hint="Your changes and invitations show it. You can change it in your profile."
          problem={problem}
          value={name}
          onValue={setName}
          autofocus
          required
        />
        <div class="bar">
          <Button type="submit" kind="main" disabled={name.trim() === ''}>
            Continue
          </Button>
          <Button onClick={onDone}>Not now</Button>
        </div>
      </Form>
    </>
  )
}
