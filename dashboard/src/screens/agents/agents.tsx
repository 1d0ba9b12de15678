// The agents that people connected: the person's own, and for admins all.

import { type Agent, api, dataOf } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useTitle } from '../../browser/title.js'
import { formatCount, formatTime } from '../../format.js'
import { Age } from '../../parts/age.js'
import { DataTable } from '../../parts/data-table.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { AwaitList, Empty } from '../../parts/state.js'
import { SureButton } from '../../parts/sure-button.js'
import { AgentsBar } from './agents-bar.js'

export function AgentsScreen() {
  const agents = useList<Agent>('agents', (cursor, signal) => api.GET('/agents', { params: { query: cursor }, signal }))
  useTitle('Connected agents')
  return (
    <>
      <AgentsBar shown="/agents" />
      <AwaitList of={agents} moreLabel="More agents" empty={<NoAgents />}>
        {(entries) => <AgentTable agents={entries} onChanged={agents.reload} />}
      </AwaitList>
    </>
  )
}

function AgentTable({ agents, onChanged }: { agents: readonly Agent[]; onChanged: () => void }) {
  const rows = agents.map((agent) => ({
    key: agent.id,
    cells: [
      <div class="long-text">
        {agent.client}
        {agent.clientHost !== null && <div class="hint">of {agent.clientHost}</div>}
      </div>,
      <div class="long-text">{agent.person.name}</div>,
      <Rights of={agent} />,
      <Connected of={agent} />,
      agent.lastUsedAt === null ? 'never' : <Age of={agent.lastUsedAt} />,
      agent.expiresAt === null ? 'never' : formatTime(agent.expiresAt),
    ],
    actions: <Disconnect target={agent} onChanged={onChanged} />,
  }))
  return (
    <DataTable
      label="Connected agents"
      columns={['Program', 'Acts for', 'Rights', 'Connected', 'Last used', 'Ends']}
      headingAt={0}
      rows={rows}
    />
  )
}

function Rights({ of: { scopes, sites } }: { of: Agent }) {
  return (
    <div class="long-text">
      {scopes.at(-1) ?? 'read'}
      {sites !== null && <div class="hint">{formatCount(sites.length, 'site')} only</div>}
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
    <Empty title="No agents yet" command={`claude mcp add --transport http palimpsest ${location.origin}/mcp`}>
      <p>
        Give a program the address {location.origin}/mcp. It opens the browser here, where you allow what it may do. In
        Claude Code, for instance:
      </p>
    </Empty>
  )
}
