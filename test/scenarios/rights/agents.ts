// The agents of the test of rights: with each scope, for the API and for the tools.

import { AGENT_SCOPES, type AgentScope } from '../../../src/model/rights/agent-scopes.js'
import { connectAgent, registerClient } from '../../support/people/connect-agent.js'
import type { SignedIn } from '../../support/people/sign-in-as.js'
import type { TestService } from '../../support/service.js'
import { bearer, type CallerWithFields } from './caller-with-fields.js'

const PATHS = { 'agent of the API': '/api/v1', 'agent of the tools': '/mcp' } as const

export interface RegisteredAgent {
  means: keyof typeof PATHS
  scope: AgentScope
  clientId: string
}

/** Registers a program for each resource and scope: all people connect the same ones. */
export async function registerAgents(service: TestService): Promise<RegisteredAgent[]> {
  const agents: RegisteredAgent[] = []
  for (const means of Object.keys(PATHS) as (keyof typeof PATHS)[])
    for (const scope of AGENT_SCOPES) agents.push({ means, scope, clientId: await registerClient(service) })
  return agents
}

/** Connects all of them for one person. */
export async function agentsOf(
  service: TestService,
  person: SignedIn,
  agents: readonly RegisteredAgent[],
  { role, isLimited }: { role: string; isLimited: boolean },
): Promise<CallerWithFields[]> {
  const callers: CallerWithFields[] = []
  for (const { means, scope, clientId } of agents) {
    const resource = `http://localhost:${service.server.port}${PATHS[means]}`
    const { access_token: token } = await connectAgent(service, person, { clientId, resource, choice: { scope } })
    const name = `the ${means} with ${scope} of the ${role}`
    callers.push({ name, means, scopes: [scope], role, isLimited, fields: bearer(token) })
  }
  return callers
}
