// Sets the time at which a change request is published, and takes it back. Who may publish it now may set one.

import type { PublishedRequestData } from '../../../../schemas/change-request-acts.js'
import type { ChangeRequestData } from '../../../../schemas/change-requests.js'
import { SCHEDULE_AHEAD_DAYS } from '../../../admission/quotas.js'
import { toSeconds, toTimestamp } from '../../../model/clock.js'
import { ServiceError } from '../../../model/errors.js'
import { requestClosed } from '../../../repository/protocol/published-requests.js'
import { mainOf } from '../../../repository/protocol/site-place.js'
import { badField } from '../../access/key-limits.js'
import { canActLater, nameOf } from '../../access/principal-now.js'
import { recordAudit } from '../../context/audit.js'
import type { Call, SiteCall } from '../../context/call.js'
import { findPublished, findRequest } from '../../context/change-request.js'
import type { ResourceId } from '../../context/input.js'
import type { Result } from '../../context/result.js'
import { removePacks } from '../merge-branches.js'
import { planPublishing, publishRequest, type PublishInput, type PublishParts } from '../publish-request.js'
import { toRequestData } from '../request-data.js'

type Input = Omit<PublishInput, 'publishAt'> & { at?: string }

const DAY_SECONDS = 24 * 3600

/** Publishes the request, or with `at` sets its time. A dry run shows what would be published now. */
export async function publishOrSchedule(
  asked: Call<PublishParts>,
  { at, ...input }: Input,
): Promise<Result<PublishedRequestData>> {
  const publishAt = at === undefined ? undefined : readTime(at, toSeconds(asked.clock()))
  if (publishAt === undefined || input.dryRun === true) return await publishRequest(asked, input)
  const call = { ...asked, site: mainOf(findRequest(asked, input.id).site) }
  return await call.idempotency.once(call, { site: call.site, input: { ...input, at } }, async () => ({
    result: { data: await setSchedule(call, input, publishAt) },
    committed: false,
  }))
}

/** Throws as publishing does now, and `forbidden_role` for a caller whose rights nobody could ask for at that time. */
async function setSchedule(
  call: SiteCall<PublishParts>,
  input: Omit<PublishInput, 'publishAt'>,
  publishAt: string,
): Promise<PublishedRequestData> {
  const { catalog, principal } = call
  const { row } = findRequest(call, input.id)
  if (!canActLater(principal)) throw noLater()
  if ((await findPublished(call, row.id)) !== undefined) throw requestClosed(row.number)
  const plan = await planPublishing(call, input)
  await removePacks(plan)
  const { head } = plan.publishes
  const { maker: setBy, ...by } = nameOf(principal)
  if (input.title !== undefined) await catalog.changeRequests.rename(row.id, input.title)
  if (!(await catalog.schedules.set(row.id, { publishAt, head, setBy, label: principal.label, ...by })))
    throw requestClosed(row.number)
  const details = { site: row.siteId, number: row.number, publishAt, head }
  await recordAudit(call, { action: 'change-request.schedule', target: `change-request ${row.id}`, details })
  return { id: row.id, siteId: row.siteId, number: row.number, commit: null, publishAt }
}

/** Takes the time back. Nothing changes if there is none. */
export async function cancelSchedule(
  asked: Call<PublishParts>,
  { id }: ResourceId,
): Promise<Result<ChangeRequestData>> {
  const { row, site } = findRequest(asked, id)
  const call = { ...asked, site }
  if (await call.catalog.schedules.cancel(row.id)) {
    const details = { site: row.siteId, number: row.number, publishAt: row.publishAt }
    await recordAudit(call, { action: 'change-request.unschedule', target: `change-request ${row.id}`, details })
  }
  return { data: await toRequestData(call, findRequest(asked, id)) }
}

/** Returns the instant, in whole seconds and never before the one that was named. Throws `invalid_body`. */
function readTime(at: string, now: number): string {
  const seconds = Math.ceil(Date.parse(at) / 1000)
  if (!(seconds > now))
    throw badField('at', `is in the past: it is ${toTimestamp(now)} now. Leave it out to publish at once`)
  if (seconds > now + SCHEDULE_AHEAD_DAYS * DAY_SECONDS)
    throw badField('at', `is more than ${SCHEDULE_AHEAD_DAYS} days ahead: set a time nearer by`)
  return toTimestamp(seconds)
}

function noLater(): ServiceError {
  return new ServiceError(
    'forbidden_role',
    'A time is set by a person, a key or an agent: what this caller may do cannot be asked for at that time.',
  )
}
