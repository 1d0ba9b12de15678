// Lands a push to refs/for/main that was judged: its commits become the branch of a change request, and nothing of it is live.

import type { ChangeRequest } from '../../catalog/requests/change-requests.js'
import type { Site } from '../../catalog/site.js'
import { toSeconds } from '../../model/clock.js'
import { makerNameOf } from '../../model/commits/maker.js'
import { ServiceError } from '../../model/errors.js'
import { refusal } from '../../repository/pushing/judge/push-messages.js'
import { enterRequest } from '../context/change-request.js'
import { resolveTarget } from '../context/target.js'
import { beginRequest, dropBranch } from '../requests/begin-request.js'
import { allowPush } from './allow-push.js'
import type { JudgedProposal } from './judge-proposal.js'
import { findProposed } from './proposal.js'

/**
 * Asks for the rights again, then moves the branch. Returns the change request. Throws PushRefused if its branch has moved meanwhile,
 * `too_many_change_requests`, and as `askAgain` and `allowPush` if the rights have ended. Then a new change request is gone again.
 */
export async function landProposal(judged: JudgedProposal): Promise<ChangeRequest> {
  const push = { ...judged, ...(await judged.askAgain()) }
  allowPush(push)
  const { proposal, before: fork } = push
  const found = findProposed(push, proposal)
  const row = found ?? (await beginRequest(push, { isForWrite: true, title: proposal.title, fork }))
  const site = { ...push.site, request: row.id }
  try {
    await moveBranch(push, site, row)
  } catch (error) {
    const mayHaveMoved = error instanceof ServiceError && error.code === 'outcome_unknown'
    if (found === undefined && !mayHaveMoved) await takeBack(push, site)
    throw error
  }
  if (found !== undefined && proposal.title !== undefined)
    await push.catalog.changeRequests.rename(row.id, proposal.title)
  noteMoved(push, site)
  return row
}

async function moveBranch(push: JudgedProposal, site: Site, { id, number }: ChangeRequest): Promise<void> {
  const { principal, before: expected, proposal, packed, store, clock } = push
  const { workspaceId, id: siteId } = push.site
  const target = resolveTarget(push, principal, { workspaceId, siteId }, 'propose')
  await enterRequest({ ...push, target }, id)
  const outcome = await store.refMover.moveMain(site, {
    expected,
    next: proposal.tip,
    packs: [packed],
    time: toSeconds(clock()),
    by: `${principal.label} (${makerNameOf(principal)})`,
  })
  if (outcome === 'moved')
    throw refusal(`somebody wrote to change request ${number} meanwhile. Look at it, and push again.`)
}

async function takeBack(push: JudgedProposal, site: Site & { request: string }): Promise<void> {
  await push.catalog.changeRequests.remove(site.request)
  await dropBranch({ ...push, site })
}

/** Lets the index of the change request follow, so that its first reader need not wait. That reader hears of a failure. */
function noteMoved({ usage, indexFollower, packed }: JudgedProposal, site: Site): void {
  usage.sizes.addToRequests(site, packed.bytes)
  setImmediate(() => void indexFollower.catchUp(site).catch(() => undefined))
}
