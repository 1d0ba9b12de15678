// Records what a request did in the audit log of its workspace.

import { OPERATOR_CHAIN } from '../../catalog/audit/chain.js'
import type { AuditActor, NewAuditEntry } from '../../catalog/audit/entries.js'
import type { Principal } from '../../model/principal.js'
import type { RequestContext } from './request-context.js'
import type { Services } from './services.js'

type Event = Pick<NewAuditEntry, 'action' | 'target' | 'details' | 'personal'>

/** Appends an entry about this request. Call it after the change, and before the answer. */
export async function recordAudit(
  { catalog }: Pick<Services, 'catalog'>,
  { principal, target, from }: Pick<RequestContext, 'principal' | 'target' | 'from'>,
  event: Event,
): Promise<void> {
  const personal = { name: principal.label, ...from, ...event.personal }
  await catalog.audit.record({ workspaceId: target.workspace.id, actor: actorOf(principal), ...event, personal })
}

/** Appends an entry to the operator's own chain: for what concerns no workspace alone. */
export async function recordByOperator({ catalog }: Pick<Services, 'catalog'>, event: Event): Promise<void> {
  await catalog.audit.record({ workspaceId: OPERATOR_CHAIN, actor: { kind: 'operator', id: 'operator' }, ...event })
}

function actorOf({ kind, id, person, client }: Principal): AuditActor {
  return { kind, id, ...(person && { userId: person.id }), ...(client !== undefined && { client }) }
}
