// The agents that people connected: the person's own, and for admins all; and how to connect one.

import { type Agent, api, dataOf } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { type SiteNames, useSiteNames } from '../../api/use-site-names.js'
import { useTitle } from '../../browser/title.js'
import { formatTime } from '../../format.js'
import { Age } from '../../parts/states/age.js'
import { Table } from '../../parts/lists/table.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { wordScopes } from '../../parts/rights/scopes.js'
import { AwaitList } from '../../parts/states/await.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { AgentsBar } from './agents-bar.js'
import { Connect } from './connect.js'

export function AgentsScreen() {
  const agents = useList<Agent>('agents', (cursor, signal) => api.GET('/agents', { params: { query: cursor }, signal }))
  const namesOf = useSiteNames()
  useTitle('Connected agents')
  return (
    <>
      <AgentsBar shown="/agents" />
      <AwaitList of={agents} moreLabel="More agents" empty={<NoAgents />}>
        {(entries) => (
          <>
            <AgentTable agents={entries} namesOf={namesOf} onChanged={agents.reload} />
            <Disclosure title="Connect another program" class="connect-more">
              <Connect />
            </Disclosure>
          </>
        )}
      </AwaitList>
    </>
  )
}

interface AgentTableProps {
  agents: readonly Agent[]
  namesOf: SiteNames
  onChanged: () => void
}

function AgentTable({ agents, namesOf, onChanged }: AgentTableProps) {
  const rows = agents.map((agent) => ({
    key: agent.id,
    cells: [
      <div class="long-text">
        {agent.client}
        {agent.clientHost !== null && <div class="hint">of {agent.clientHost}</div>}
      </div>,
      <div class="long-text">{agent.person.name}</div>,
      <Rights of={agent} namesOf={namesOf} />,
      <Connected of={agent} />,
      agent.lastUsedAt === null ? 'never' : <Age of={agent.lastUsedAt} />,
      agent.expiresAt === null ? 'never' : formatTime(agent.expiresAt),
    ],
    actions: <Disconnect target={agent} onChanged={onChanged} />,
  }))
  return (
    <Table
      label="Connected agents"
      columns={['Program', 'Acts for', 'Rights', 'Connected', 'Last used', 'Ends']}
      headingAt={0}
      rows={rows}
    />
  )
}

function Rights({ of: { scopes, sites }, namesOf }: { of: Agent; namesOf: SiteNames }) {
  return (
    <div class="long-text">
      {wordScopes(scopes)}
      {sites !== null && <div class="hint">only {namesOf(sites)}</div>}
    </div>
  )
}

/** Tells connections of the same program apart. */
function Connected({ of: { createdAt, device } }: { of: Agent }) {
  return (
    <div>
      {formatTime(createdAt)}
      {device !== null && <div class="hint">with {device}</div>}
    </div>
  )
}

/** The program must ask again afterwards. */
function Disconnect({ target: { id, client }, onChanged }: { target: Agent; onChanged: () => void }) {
  const disconnect = async () => {
    try {
      dataOf(await api.DELETE('/agents/{id}', { params: { path: { id } } }))
      notify(`“${client}” is disconnected.`)
      onChanged()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return <SureButton label="Disconnect" sureLabel="Disconnect now" of={client} onSure={() => void disconnect()} />
}

function NoAgents() {
  return (
    <>
      <h2>No agents yet</h2>
      <Connect />
    </>
  )
}
