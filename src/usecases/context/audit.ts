// Records what a request did in the audit log of its workspace.

import type { NewAuditEntry } from '../../catalog/audit/audit-log.js'
import type { RequestContext } from './request-context.js'
import type { Services } from './services.js'

/** Appends an entry about this request. Call it after the change, and before the answer. */
export async function recordAudit(
  { catalog }: Pick<Services, 'catalog'>,
  { principal, target }: Pick<RequestContext, 'principal' | 'target'>,
  entry: Pick<NewAuditEntry, 'action' | 'target' | 'details' | 'personal'>,
): Promise<void> {
  const { kind, id, person, client, label } = principal
  const actor = { kind, id, ...(person && { userId: person.id }), ...(client !== undefined && { client }) }
  const personal = { name: label, ...entry.personal }
  await catalog.audit.record({ workspaceId: target.workspace.id, actor, ...entry, personal })
}
