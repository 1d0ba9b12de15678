// The dialog that changes a member's role. It names the keys and agents that lose rights.

import { useState } from 'preact/hooks'
import { holdsScope } from '../../../../src/model/rights/scopes.js'
import { SCOPES_OF_ROLE } from '../../../../src/model/rights/roles.js'
import { api, dataOf, type Me, type Member, type OneMember } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Form } from '../../parts/controls/form.js'
import { notify } from '../../parts/overlays/notices.js'
import { Refusal } from '../../parts/states/refusal.js'
import { Await } from '../../parts/states/await.js'
import { type Held, HeldList, useOneMember } from './held-rights.js'
import { type ChosenRights, isOwner, RoleChoice, rightsOf } from './role-choice.js'
import { Button } from '../../parts/controls/button.js'

interface ChangeRoleProps {
  me: Me
  member: Member
  onClose: () => void
  onDone: () => void
}

export function ChangeRole({ me, member, onClose, onDone }: ChangeRoleProps) {
  const [chosen, setChosen] = useState<ChosenRights>({ role: member.role, siteIds: member.sites ?? [] })
  const [refusal, setRefusal] = useState<string>()
  const loaded = useOneMember(member)
  const isByHand = member.sources.some(({ source }) => source === 'hand')
  const send = async (body: { role: Member['role'] | null; sites?: string[] | null }) => {
    try {
      dataOf(await api.PATCH('/members/{id}', { params: { path: { id: member.id } }, body }))
      notify(`${member.name} has other rights from now on.`)
      onDone()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog title={`The role of ${member.name}`} onClose={onClose}>
      <Form onSubmit={() => send(rightsOf(chosen))} class="stack">
        <RoleChoice offersOwner={isOwner(me)} chosen={chosen} onChoose={setChosen} />
        <Await of={loaded}>{(data) => <Losses member={data} chosen={chosen} />}</Await>
        <Refusal of={refusal} />
        <div class="bar">
          <Button type="submit" kind="main">
            Set the role
          </Button>
          {isByHand && member.sources.length > 1 && (
            <Button onClick={() => void send({ role: null })}>Use the other sources again</Button>
          )}
        </div>
      </Form>
    </Dialog>
  )
}

function Losses({ member, chosen }: { member: OneMember; chosen: ChosenRights }) {
  const keys = member.keys.filter((held) => loses(held, chosen))
  const agents = member.agents.filter((held) => loses(held, chosen))
  if (keys.length + agents.length === 0) return <p class="hint">No key and no agent of {member.name} loses rights.</p>
  return (
    <div role="status">
      <p>These lose rights with their next request:</p>
      <HeldList label="Keys and agents that lose rights" keys={keys} agents={agents} />
    </div>
  )
}

/** Whether the role allows less than the key or agent may do now. */
function loses({ scopes, sites }: Held, chosen: ChosenRights): boolean {
  const own = SCOPES_OF_ROLE[chosen.role]
  const { sites: allowed } = rightsOf(chosen)
  const losesSites = allowed !== null && (sites === null || sites.some((id) => !allowed.includes(id)))
  return losesSites || scopes.some((scope) => !holdsScope(own, scope))
}
