// The connected agents of a workspace: list, disconnect. People see their own, and admins all.

import type { AgentData } from '../../../schemas/agents.js'
import type { Agent } from '../../catalog/agents/agents.js'
import { ageOf } from '../../catalog/row-age.js'
import { ServiceError } from '../../model/errors.js'
import { AGENT_SCOPES } from '../../model/rights/agent-scopes.js'
import type { Call } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { takeSlice } from '../context/slice.js'

/** Lists the agents, the oldest first. A caller limited to sites sees those limited to a part of them, and its own. */
export async function listAgents(
  call: Call<'catalog'>,
  { cursor, limit = DEFAULT_LIMIT }: SliceInput,
): Promise<Result<AgentData[]>> {
  const { catalog } = call
  const { rows, nextCursor } = takeSlice('agents', await agentsInView(catalog, call), ageOf, { cursor, limit })
  return { data: rows.map((agent) => toAgentData(catalog, agent)), nextCursor }
}

/** Ends the agent from its next request on. Throws `agent_not_found`. */
export async function disconnectAgent(call: Call<'catalog'>, { id }: ResourceId): Promise<Result<{ id: string }>> {
  const { catalog } = call
  const agent = (await agentsInView(catalog, call)).find((one) => one.id === id.toLowerCase())
  if (agent === undefined || (await catalog.agents.revoke(agent.id)) === undefined)
    throw new ServiceError('agent_not_found', 'There is no such agent: GET /agents lists the connected agents.')
  await recordAudit(call, {
    action: 'agent.disconnect',
    target: `agent ${agent.id}`,
    personal: { about: agent.clientName },
  })
  return { data: { id: agent.id } }
}

async function agentsInView({ agents }: Services['catalog'], { principal, target }: Call): Promise<Agent[]> {
  const { sites, person } = principal
  const isAdmin = target.scopes.includes('admin')
  const listed = await agents.list(target.workspace.id, isAdmin ? undefined : (person?.id ?? ''))
  return listed.filter(
    (agent) =>
      sites === null || agent.userId === person?.id || (agent.sites?.every((site) => sites.includes(site)) ?? false),
  )
}

function toAgentData({ users, agentUsage }: Services['catalog'], agent: Agent): AgentData {
  const { id, userId, clientId, clientName: client, scopes, sites, expiresAt, createdAt, device } = agent
  return {
    id,
    client,
    clientHost: clientId.startsWith('https://') ? new URL(clientId).host : null,
    person: { id: userId, name: users.find(userId)?.name ?? '' },
    scopes: AGENT_SCOPES.filter((scope) => scopes.includes(scope)),
    sites,
    expiresAt,
    lastUsedAt: agentUsage.lastUseOf(id) ?? agent.lastUsedAt,
    createdAt,
    device,
  }
}
