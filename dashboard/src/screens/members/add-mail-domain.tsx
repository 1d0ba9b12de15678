// The dialog that lets the people of a mail domain join by themselves.

import { useState } from 'preact/hooks'
import { api, dataOf, type SignInProviders } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { notify } from '../../parts/overlays/notices.js'
import { type ChosenRights, RoleChoice, rightsOf } from './role-choice.js'
import { Button } from '../../parts/controls/button.js'

interface AddMailDomainProps {
  providers: SignInProviders['providers']
  onClose: () => void
  onAdded: () => void
}

export function AddMailDomain({ providers, onClose, onAdded }: AddMailDomainProps) {
  const [issuer, setIssuer] = useState(providers[0]?.issuer ?? '')
  const [domain, setDomain] = useState('')
  const [chosen, setChosen] = useState<ChosenRights>({ role: 'viewer', siteIds: [] })
  const [refusal, setRefusal] = useState<string>()
  const add = async () => {
    const { role, sites } = rightsOf(chosen)
    // The choice does not offer this role.
    if (role === 'owner') return
    const body = { issuer, domain: domain.trim(), role, sites }
    try {
      dataOf(await api.PUT('/mail-domains', { body }))
      notify(`People with an address at ${body.domain} may join.`)
      onAdded()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title="Add a mail domain" onClose={onClose}>
      <Form onSubmit={add} class="stack">
        <Field
          label="Mail domain"
          hint="The part of an address after the @. Domains below it are others."
          placeholder="example.org"
          problem={refusal}
          value={domain}
          onValue={setDomain}
          autofocus
          required
        />
        <label class="select">
          <span class="hint">Provider that verifies the addresses</span>
          <select value={issuer} onChange={(event) => setIssuer(event.currentTarget.value)}>
            {providers.map((each) => (
              <option key={each.id} value={each.issuer}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <RoleChoice offersOwner={false} chosen={chosen} onChoose={setChosen} />
        <div class="bar">
          <Button type="submit" kind="main" disabled={domain.trim() === ''}>
            Let them join
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
