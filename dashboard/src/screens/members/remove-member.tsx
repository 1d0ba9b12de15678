// The dialog that removes a member. It asks whether the person's keys are offered to another member.

import { useState } from 'preact/hooks'
import { api, dataOf, type Member, type OneMember } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { RadioList } from '../../parts/controls/radio-list.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Form } from '../../parts/controls/form.js'
import { notify } from '../../parts/overlays/notices.js'
import { Refusal } from '../../parts/states/refusal.js'
import { Await } from '../../parts/states/await.js'
import { HeldList, useOneMember } from './held-rights.js'
import { Button } from '../../parts/controls/button.js'

const WAYS = ['end', 'offer'] as const
type Way = (typeof WAYS)[number]

interface RemoveMemberProps {
  member: Member
  /** The members to whom the keys can be offered. */
  others: readonly Member[]
  onClose: () => void
  onDone: () => void
}

export function RemoveMember({ member, others, onClose, onDone }: RemoveMemberProps) {
  const heirs = others.filter(({ id }) => id !== member.id)
  const [way, setWay] = useState<Way>('end')
  const [heir, setHeir] = useState(heirs[0]?.id ?? '')
  const [refusal, setRefusal] = useState<string>()
  const loaded = useOneMember(member)
  const remove = async () => {
    try {
      const query = way === 'offer' && heir !== '' ? { handTo: heir } : {}
      dataOf(await api.DELETE('/members/{id}', { params: { path: { id: member.id }, query } }))
      notify(`${member.name} is no longer a member.`)
      onDone()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title={`Remove ${member.name}`} onClose={onClose}>
      <Form onSubmit={remove} class="stack">
        <p>{member.name} can do nothing here from the next request on. What the person published stays.</p>
        <Await of={loaded}>
          {(data) =>
            holdsNothing(data) ? (
              <p class="hint">No key and no agent depends on the person.</p>
            ) : (
              <>
                <p>These end now:</p>
                <HeldList label="Keys and agents" keys={data.keys} agents={data.agents} />
                {data.keys.length > 0 && (
                  <RadioList
                    label="Keys"
                    value={way}
                    from={heirs.length === 0 ? ['end'] : WAYS}
                    labelOf={(each) => (each === 'end' ? 'end' : 'end, and another member can take new ones like them')}
                    onChoose={setWay}
                  />
                )}
                {way === 'offer' && <HeirChoice heirs={heirs} value={heir} onChoose={setHeir} />}
              </>
            )
          }
        </Await>
        <Refusal of={refusal} />
        <div class="bar">
          <Button type="submit" kind="danger" disabled={loaded.data === undefined}>
            Remove the member
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function holdsNothing({ keys, agents }: OneMember): boolean {
  return keys.length + agents.length === 0
}

interface HeirChoiceProps {
  heirs: readonly Member[]
  value: string
  onChoose: (id: string) => void
}

function HeirChoice({ heirs, value, onChoose }: HeirChoiceProps) {
  return (
    <label class="select">
      <span class="hint">Offered to, under API keys, for 14 days</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {heirs.map(({ id, name, role }) => (
          <option key={id} value={id}>
            {name} ({role})
          </option>
        ))}
      </select>
    </label>
  )
}
