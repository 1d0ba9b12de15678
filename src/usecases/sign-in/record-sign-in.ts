// Records in the audit log what a person did who was not signed in before.

import type { NewAuditEntry } from '../../catalog/audit/entries.js'
import type { RequestOrigin } from '../context/request-context.js'
import type { Services } from '../context/services.js'

/** The session of the person. */
interface Actor {
  id: string
  userId: string
  workspaceId: string
  label: string
}

export async function recordSignIn(
  { catalog }: Pick<Services, 'catalog'>,
  { id, userId, workspaceId, label }: Actor,
  entry: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
  from?: RequestOrigin,
): Promise<void> {
  const actor = { kind: 'session' as const, id, userId }
  await catalog.audit.record({ workspaceId, actor, ...entry, personal: { name: label, ...from } })
}
