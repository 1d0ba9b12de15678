// Publishes a change request as one commit on main, once: a second request gets the first one's answer, also after a crash in between.

import type { PublishedRequestData } from '../../../schemas/change-request-acts.js'
import { type ChangeRequest, OPEN_STATES } from '../../catalog/requests/change-requests.js'
import { makerIn, trailerOfMaker } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { makerOf } from '../../model/principal.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import type { Publication } from '../../repository/protocol/write.js'
import { recordAudit } from '../context/audit.js'
import type { Call, Changing, SiteCall } from '../context/call.js'
import { findPublished, findRequest, type FoundRequest, refuseClosed } from '../context/change-request.js'
import { changeSite, type Nothing, type Plan } from '../context/change-site.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import { describeDraft } from '../pages/dry-run.js'
import type { Result } from '../context/result.js'
import { approvalsOf } from './approve-request.js'
import { findMaker } from './branch-history.js'
import { refusePublishing } from './may-publish.js'
import {
  type Branch,
  conflictsOf,
  mergeIntoMain,
  mergeIntoRequest,
  type MergedBranches,
  readHeads,
  removePacks,
} from './merge-branches.js'

export type PublishParts = Changing | 'longTasks' | 'replica'
type Publishing = SiteCall<PublishParts>
/** `publishAt` is the time that was set for it; the audit log names it. */
export type PublishInput = ResourceId & DryRunInput & { title?: string; ifHead?: string; publishAt?: string }
type PublishPlan = Plan & Pick<MergedBranches, 'packFolder'> & { publishes: Publication }

/**
 * Throws `change_request_closed`, `approval_required`, and `precondition_failed` if `ifHead` is no longer the head of the branch. Throws
 * `merge_conflict` with the conflicts, `path_conflict`, and `conflict` if there is nothing to publish.
 */
export async function publishRequest(
  asked: Call<PublishParts>,
  input: PublishInput,
): Promise<Result<PublishedRequestData>> {
  const { row, site } = findRequest(asked, input.id)
  const call = { ...asked, site: mainOf(site) }
  return await changeSite<PublishedRequestData, PublishPlan>(call, {
    input,
    plan: async () => {
      // Other machines may have overtaken the plan before.
      await call.replica.untilCurrent()
      return (await repeated(call, row, input)) ?? (await planPublishing(call, input))
    },
    answer: async ({ commit }) => {
      const { publishAt } = input
      const details = { site: row.siteId, number: row.number, commit, ...(publishAt !== undefined && { publishAt }) }
      await recordAudit(call, { action: 'change-request.publish', target: `change-request ${row.id}`, details })
      return await published(call, row, commit)
    },
    show: async (draft) => {
      await call.hold(draft.bytes, 'made')
      return { data: { ...toData(row, null), dryRun: await describeDraft(call, draft, null) } }
    },
    replay: async ({ oid }) => await published(call, row, oid),
    release: removePacks,
  })
}

/** Returns the answer for a request that is on main already. */
async function repeated(
  call: Publishing,
  row: ChangeRequest,
  { dryRun }: DryRunInput,
): Promise<Nothing<PublishedRequestData> | undefined> {
  const commit = await findPublished(call, row.id)
  if (commit === undefined) return undefined
  if (dryRun === true) throw new ServiceError('conflict', `Change request ${row.number} is published already.`)
  await call.store.writers.settle(call.site)
  return { nothing: await published(call, row, commit) }
}

/** Closes the request, whose commit is durable. After a crash the patrol does (interrupted.ts). */
async function published(call: Publishing, row: ChangeRequest, commit: string): Promise<Result<PublishedRequestData>> {
  await call.catalog.changeRequests.setState(row.id, OPEN_STATES, 'closed')
  return { data: toData(row, commit) }
}

function toData({ id, siteId, number }: ChangeRequest, commit: string | null): PublishedRequestData {
  return { id, siteId, number, commit }
}

/** Refuses what cannot be published now. The caller removes the packs of the plan. */
export async function planPublishing(
  call: Publishing,
  { id, title, ifHead, dryRun }: PublishInput,
): Promise<PublishPlan> {
  const found = findRequest(call, id)
  const { row, site: branch } = found
  refuseClosed(row)
  const heads = await readHeads(call, branch)
  if (ifHead !== undefined && ifHead.toLowerCase() !== heads.request) throw stale(heads.request)
  if (dryRun !== true) refuseUnapproved(call, id, heads.request)
  const merged = await mergeIntoMain(call, branch, heads)
  try {
    await refuseUnmerged(call, branch, merged)
    const { prepared, packs, packFolder } = merged
    const { by, others } = await creditsOf(call, found)
    return {
      operation: { kind: 'merge-branch', prepared, subject: `Publish change request ${row.number}` },
      reason: title ?? row.title,
      packs,
      packFolder,
      by,
      publishes: { request: row.id, head: heads.request },
      refuseUnapproved: (asked) => refuseAgain({ ...call, ...asked }, id, heads.request),
      trailers: [['Change-Request', row.id], ...others, ...approversOf(call, found, heads.request)],
    }
  } catch (error) {
    await removePacks(merged)
    throw error
  }
}

/** Asks the same again, just before the change. If somebody closed or published the request meanwhile, it must be planned again. */
function refuseAgain(call: Publishing, id: string, head: string): void {
  if (findRequest(call, id).row.state === 'closed')
    throw new ServiceError('conflict', 'The change request was closed meanwhile. Try again.', { retry: true })
  refuseUnapproved(call, id, head)
}

/** Asks for the approval of this very commit, with the rights that its approvers have now. */
function refuseUnapproved(call: Publishing, id: string, head: string): void {
  const { site } = findRequest(call, id)
  const { catalog, principal, target } = call
  refusePublishing({
    site,
    principal,
    scopes: target.scopes,
    isApproved: approvalsOf(call, site, head).length > 0,
    isExcepted: principal.kind === 'key' && catalog.protectionExceptions.has(site.id, principal.id),
  })
}

/** Throws `merge_conflict` with the conflicts that bringing the branch up to date has, or `conflict` if main has all of it. */
async function refuseUnmerged(call: Publishing, branch: Branch, merged: MergedBranches): Promise<void> {
  const { conflicts, prepared, heads } = merged
  if (conflicts.length > 0) {
    const update = await mergeIntoRequest(call, branch, heads, {})
    throw new ServiceError(
      'merge_conflict',
      'Main was changed in the same places: see details.conflicts. Bring the change request up to date, with ours or theirs for each path, and publish again.',
      { conflicts: conflictsOf(update.conflicts.length > 0 ? update : merged) },
    )
  }
  if (prepared.edits.length === 0)
    throw new ServiceError('conflict', 'There is nothing to publish: main has all of this change request.')
}

/** Returns the author of the commit, and the trailers that name everybody else who had a part in it. */
async function creditsOf(call: Publishing, found: FoundRequest) {
  const { maker, ...by } = await findMaker(call, found)
  const { principal } = call
  const others = call.catalog.requestMakers
    .list(found.row.id)
    .filter(({ madeBy }) => makerIn(Object.fromEntries([trailerOfMaker(madeBy)])) !== maker)
    .map(({ label, madeBy }) => trailer('Made-By', label, madeBy))
  return { by, others: [...others, trailer('Published-By', principal.label, makerOf(principal))] }
}

function approversOf(call: Publishing, { site }: FoundRequest, head: string) {
  return approvalsOf(call, site, head).map(({ label, userId }) => trailer('Approved-By', label, `user ${userId}`))
}

function trailer(name: string, label: string, maker: string): readonly [name: string, value: string] {
  return [name, `${label} (${maker})`]
}

function stale(head: string): ServiceError {
  return new ServiceError(
    'precondition_failed',
    'The change request was changed since the commit in ifHead. Look at what it changes now, and publish again.',
    { head },
  )
}
