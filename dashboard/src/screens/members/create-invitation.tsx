// The dialog that invites a person.

import { useState } from 'preact/hooks'
import { api, dataOf, type Me, type NewInvitation } from '../../api/client.js'
import { readProviders } from '../../api/session.js'
import { asError, useLoaded } from '../../api/use-loaded.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { Refusal } from '../../parts/states/refusal.js'
import { type ChosenRights, isOwner, RoleChoice, rightsOf } from './role-choice.js'
import { Button } from '../../parts/controls/button.js'

const DAY_SECONDS = 86_400
const DAYS = ['1', '7', '30'] as const

interface CreateInvitationProps {
  me: Me
  onClose: () => void
  onCreated: (made: NewInvitation) => void
}

export function CreateInvitation({ me, onClose, onCreated }: CreateInvitationProps) {
  const [chosen, setChosen] = useState<ChosenRights>({ role: 'editor', siteIds: [] })
  const [email, setEmail] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('7')
  const [refusal, setRefusal] = useState<string>()
  // Only a provider can tell whose address it is.
  const providers = useLoaded('providers of invitations', readProviders)
  const create = async () => {
    const address = email.trim()
    const body = {
      ...rightsOf(chosen),
      ...(address !== '' && { email: address }),
      expiresIn: Number(days) * DAY_SECONDS,
    }
    try {
      onCreated(dataOf(await api.POST('/invitations', { body })))
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form onSubmit={create} class="stack">
        <RoleChoice offersOwner={isOwner(me)} chosen={chosen} onChoose={setChosen} />
        {(providers.data?.providers.length ?? 0) > 0 && (
          <Field
            label="E-mail address"
            hint="Only the account with this address at your identity provider may join. Empty: whoever has the link."
            value={email}
            onValue={setEmail}
          />
        )}
        <Segmented
          label="Expires after"
          value={days}
          from={DAYS}
          labelOf={(each) => (each === '1' ? '1 day' : `${each} days`)}
          onChoose={setDays}
        />
        <Refusal of={refusal} />
        <div class="bar">
          <Button type="submit" kind="main">
            Make the link
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
