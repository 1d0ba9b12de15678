// Records what a request did in the audit log of its workspace.

import { OPERATOR_CHAIN } from '../../catalog/audit/chain.js'
import type { AuditActor, NewAuditEntry } from '../../catalog/audit/entries.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import type { Call } from './call.js'
import type { Services } from './services.js'

type Event = Pick<NewAuditEntry, 'action' | 'target' | 'details' | 'personal'>

/**
 * Appends an entry about this request. Call it after the change, and before the answer. Throws `outcome_unknown` if the disk refuses the
 * entry. Another refusal would deny a change that is made.
 */
export async function recordAudit(
  { catalog, principal, target, from }: Pick<Call<'catalog'>, 'catalog' | 'principal' | 'target' | 'from'>,
  event: Event,
): Promise<void> {
  const personal = { name: principal.label, ...from, ...event.personal }
  const entry = { workspaceId: target.workspace.id, actor: actorOf(principal), ...event, personal }
  await catalog.audit.record(entry).catch((error: unknown) => {
    throw Object.assign(unrecorded(), { cause: error })
  })
}

function unrecorded(): ServiceError {
  return new ServiceError(
    'outcome_unknown',
    'The change was made, but the audit log could not name it. Read the resource; do not repeat the request.',
  )
}

/** Appends an entry to the operator's own chain: for what concerns no workspace alone. */
export async function recordByOperator({ catalog }: Pick<Services, 'catalog'>, event: Event): Promise<void> {
  await catalog.audit.record({ workspaceId: OPERATOR_CHAIN, actor: { kind: 'operator', id: 'operator' }, ...event })
}

function actorOf({ kind, id, person, client }: Principal): AuditActor {
  return { kind, id, ...(person && { userId: person.id }), ...(client !== undefined && { client }) }
}
