// The form of a consent: workspace, rights, sites and end. It offers no more than the program asks and the person has, and begins with
// the least.

import { useState } from 'preact/hooks'
import { answerConsent, type ConsentBody, type ConsentData } from '../../api/consent.js'
import { asError } from '../../api/use-loaded.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { RadioList } from '../../parts/controls/radio-list.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { Form } from '../../parts/controls/form.js'
import { ErrorNotice } from '../../parts/states/error-notice.js'
import { firstSites, SiteChoice } from './site-choice.js'
import { Button } from '../../parts/controls/button.js'

type Workspace = ConsentData['workspaces'][number]
type Scope = ConsentData['scope']

const SCOPES: readonly Scope[] = ['read', 'propose', 'write', 'sites']
const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  read: 'Read: pages, files, records and their history',
  propose: 'Read, and propose changes: nothing is live before a person publishes it',
  write: 'Read and write: publish, change and delete',
  sites: 'Read, write, and make sites',
}
const ENDS = ['30', '90', 'never'] as const
type End = (typeof ENDS)[number]

export function ConsentForm({ uid, asked }: { uid: string; asked: ConsentData }) {
  const [workspace, setWorkspace] = useState(workspaceIn(asked, asked.workspaceId))
  const scopes = SCOPES.filter((scope) => workspace.scopes.includes(scope) && isWithin(scope, asked.scope))
  const [wanted, setWanted] = useState<Scope>('read')
  const scope = scopes.findLast((one) => isWithin(one, wanted)) ?? 'read'
  const [chosen, setChosen] = useState(firstSites(workspace.sites))
  // An agent that makes sites has them all.
  const sites = scope === 'sites' ? null : chosen
  const hasNoSite = sites?.length === 0
  const [isTried, setTried] = useState(false)
  const [end, setEnd] = useState<End>('30')
  const [failure, setFailure] = useState<Error>()
  const answer = useOneAtATime(async (body: ConsentBody) => {
    try {
      location.assign(await answerConsent(uid, body))
    } catch (error) {
      setFailure(asError(error))
    }
  })
  const allow = async () => {
    setTried(true)
    if (hasNoSite) return undefined
    return await answer({
      allow: true,
      workspaceId: workspace.id,
      scope,
      sites: sites && [...sites],
      expiresInDays: end === 'never' ? null : end === '30' ? 30 : 90,
    })
  }
  const choose = (id: string) => {
    const other = workspaceIn(asked, id)
    setWorkspace(other)
    setChosen(firstSites(other.sites))
  }
  return (
    <Form onSubmit={allow} class="stack">
      <WorkspaceChoice from={asked.workspaces} chosen={workspace} onChoose={choose} />
      <RadioList label="It may" value={scope} from={scopes} labelOf={(one) => SCOPE_LABELS[one]} onChoose={setWanted} />
      {scope === 'sites' ? (
        <p>It has all sites of yours, also later ones.</p>
      ) : (
        <SiteChoice from={workspace.sites} chosen={chosen} onChoose={setChosen} />
      )}
      <Segmented
        label="Ask again after"
        value={end}
        from={ENDS}
        labelOf={(one) => (one === 'never' ? 'never' : `${one} days`)}
        onChoose={setEnd}
      />
      {isTried && hasNoSite && <ErrorNotice error={new Error('Choose the sites, or all of them.')} />}
      {failure && <ErrorNotice error={failure} />}
      <div class="bar">
        <Button type="submit" kind="main">
          Allow
        </Button>
        <Button onClick={() => void answer({ allow: false })}>Deny</Button>
      </div>
    </Form>
  )
}

interface WorkspaceChoiceProps {
  from: readonly Workspace[]
  chosen: Workspace
  onChoose: (id: string) => void
}

function WorkspaceChoice({ from, chosen, onChoose }: WorkspaceChoiceProps) {
  if (from.length === 1)
    return (
      <p>
        In the workspace <b>{chosen.name}</b>
      </p>
    )
  return (
    <label class="select">
      <span class="hint">Workspace</span>
      <select value={chosen.id} onChange={(event) => onChoose(event.currentTarget.value)}>
        {from.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function workspaceIn({ workspaces }: ConsentData, id: string): Workspace {
  const [first] = workspaces
  const found = workspaces.find((one) => one.id === id) ?? first
  if (found === undefined) throw new Error('There is no workspace to choose.')
  return found
}

function isWithin(scope: Scope, limit: Scope): boolean {
  return SCOPES.indexOf(scope) <= SCOPES.indexOf(limit)
}
