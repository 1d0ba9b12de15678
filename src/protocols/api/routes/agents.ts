// The endpoints of connected agents.

import { agentData, disconnectedData, listRunsQuery, runData } from '../../../../schemas/agents.js'
import { idParams } from '../../../../schemas/common.js'
import { listQuery } from '../../../../schemas/sites.js'
import { disconnectAgent, listAgents } from '../../../usecases/agents/agents.js'
import { listRuns } from '../../../usecases/sites/agent-runs.js'
import { route } from './route.js'

export const agentRoutes = [
  route({
    method: 'get',
    path: '/agents',
    operationId: 'listAgents',
    forOneself: true,
    scope: 'admin',
    tag: 'Agents',
    summary: 'List the connected agents',
    description: 'The agents that people connected by OAuth. Needs the scope admin; people also see their own.',
    query: listQuery,
    data: agentData,
    list: true,
    run: listAgents,
  }),
  route({
    method: 'get',
    path: '/agents/work',
    operationId: 'listAgentWork',
    tag: 'Agents',
    summary: 'List what agents did',
    description:
      'In all sites that the caller sees, or in that of `x-service-site-id`, newest first. A run is the commits of one agent, key or token in one site, with no pause above 30 minutes. Ended ones are listed too.',
    query: listRunsQuery,
    data: runData,
    list: true,
    run: listRuns,
  }),
  route({
    method: 'delete',
    path: '/agents/{id}',
    operationId: 'disconnectAgent',
    forOneself: true,
    scope: 'admin',
    tag: 'Agents',
    summary: 'Disconnect an agent',
    description: 'Its next request is refused.',
    params: idParams('agent'),
    data: disconnectedData,
    errors: ['agent_not_found'],
    run: disconnectAgent,
  }),
]
