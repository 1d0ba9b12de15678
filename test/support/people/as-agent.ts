// Writes of connected agents, for tests of what is made from their commits.

import { randomUUID } from 'node:crypto'
import type { Call } from '../../../src/usecases/context/call.js'
import { writeSite } from '../../../src/usecases/context/write-site.js'
import { toPublishOperation } from '../../../src/usecases/pages/publish.js'
import type { TestService } from '../service.js'

/** The agent of a person. */
export interface TestAgent {
  id: string
  /** The name of its program. */
  client: string
  userId: string
}

/** Publishes a page as the agent does, with a reason. */
export async function publishAs(
  service: TestService,
  { id, client, userId }: TestAgent,
  { path, html, reason }: { path: string; html: string; reason: string },
): Promise<void> {
  const { services } = service.server.service
  const workspace = services.catalog.workspaces.find(service.workspaceId)
  const user = services.catalog.users.find(userId)
  if (workspace === undefined || user === undefined) throw new Error('the agent has no workspace or no person')
  const context: Call = {
    principal: {
      kind: 'agent',
      id,
      client,
      person: { id: userId, name: user.name, role: 'editor' },
      label: user.name,
      workspaceId: workspace.id,
      scopes: ['write'],
      sites: null,
      expiresAt: null,
    },
    target: { workspace, scopes: ['read', 'write'], site: undefined },
    requestId: randomUUID(),
    route: 'PUT /pages',
    hold: () => Promise.resolve(),
  }
  const call = { ...services, ...context, site: service.site }
  await writeSite(call, await toPublishOperation(call, { path, html }, true), { reason })
}
