// Publishes a change request whose time has come, in the name of who set the time and with the rights that they have now. What is refused
// is held, with the reason.

import type { AuditActor } from '../../../catalog/audit/entries.js'
import type { ScheduledRequest } from '../../../catalog/requests/schedules.js'
import { type ErrorCode, isTrouble, saysRetry, ServiceError } from '../../../model/errors.js'
import type { Principal } from '../../../model/principal.js'
import { LATER, principalNow } from '../../access/principal-now.js'
import type { Call } from '../../context/call.js'
import type { Services } from '../../context/services.js'
import { resolveTarget } from '../../context/target.js'
import { publishRequest } from '../publish-request.js'

/** Troubles that do not pass by themselves: a person has to do something. */
const LASTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['byte_quota_exceeded', 'internal'])

/**
 * Publishes the request, or holds it. Returns an error that nobody foresaw. Throws the troubles after which it may be tried again.
 */
export async function publishDue(services: Services, row: ScheduledRequest): Promise<unknown> {
  try {
    const call = callOf(services, row)
    await publishRequest(call, { id: row.id, ifHead: row.scheduledHead, publishAt: row.publishAt })
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && mayPass(error)) throw error
    const isKnown = error instanceof ServiceError && error.code !== 'internal'
    await hold(
      services,
      row,
      isKnown ? error : new ServiceError('internal', 'Publishing it failed. The log of the service says why.'),
    )
    return isKnown ? undefined : error
  }
}

function mayPass({ code, details }: ServiceError): boolean {
  return (isTrouble(code) && !LASTING.has(code)) || saysRetry(details)
}

/** Makes the call as who set the time would make it now. Throws `insufficient_scope` once they may no longer publish there. */
function callOf(services: Services, row: ScheduledRequest): Call<keyof Services> {
  const [site] = services.catalog.sites.findByIdPrefix(row.siteId)
  if (site === undefined) throw new ServiceError('site_not_found', 'Its site was deleted.')
  const principal = principalOf(services, row)
  return {
    ...services,
    principal,
    target: resolveTarget(services, principal, { workspaceId: site.workspaceId, siteId: site.id }, 'write'),
    requestId: services.newId(),
    route: 'schedule',
    hold: async () => undefined,
    // Asked again just before the commit.
    authenticate: async () => {
      refuseChanged(services, row)
      return principalOf(services, row)
    },
  }
}

function principalOf(services: Services, row: ScheduledRequest): Principal {
  const lentBy = row.scheduledLentBy?.split(' ')
  const principal = principalNow(services, { maker: row.scheduledBy, workspaceId: row.scheduledIn, lentBy })
  if (principal !== undefined) return principal
  throw new ServiceError(
    'insufficient_scope',
    `${row.scheduledLabel} set this time, and may no longer publish here. Set a time again.`,
  )
}

/** Refuses a request whose time was set or taken back since. The hold that follows changes nothing either. */
function refuseChanged({ catalog }: Services, row: ScheduledRequest): void {
  const now = catalog.changeRequests.find(row.id)
  if (now?.publishAt !== row.publishAt || now.scheduledHead !== row.scheduledHead)
    throw new ServiceError('conflict', 'Its time was changed meanwhile.')
}

async function hold(
  { catalog }: Services,
  row: ScheduledRequest,
  { code, message: reason }: ServiceError,
): Promise<void> {
  if (!(await catalog.schedules.hold(row, { code, reason }))) return
  const { id, siteId, number, publishAt } = row
  const workspaceId = catalog.sites.findOfAnyState(siteId)?.workspaceId ?? row.scheduledIn
  await catalog.audit.record({
    workspaceId,
    actor: actorOf(row),
    action: 'change-request.hold',
    target: `change-request ${id}`,
    details: { site: siteId, number, publishAt, code },
    personal: { name: row.scheduledLabel },
  })
}

/** Names who set the time, although that principal may have ended. */
function actorOf({ scheduledBy }: ScheduledRequest): AuditActor {
  const [kind, id = ''] = scheduledBy.split(' ')
  return kind === 'user' ? { kind: 'session', id: LATER, userId: id } : { kind: kind as AuditActor['kind'], id }
}
