// The way of a push over HTTP: its refs are allowed, its objects received into quarantine and judged there, and it lands. A push by path
// begins in git itself, and an import in run-import.ts. Both have the same judge.

import type { PushReport } from '../../git/wire/push-report.js'
import { dropQuarantine, type Quarantine } from '../../repository/pushing/quarantine.js'
import { allowPush } from './allow-push.js'
import { judgeProposal, type ReceivedProposal, refuseProposal } from './judge-proposal.js'
import { judgeReceived } from './judge-received.js'
import { landProposal } from './land-proposal.js'
import { landPush } from './land-push.js'
import { mainIn, type Push } from './push.js'
import { joinToFirst, receiveObjects } from './receive-objects.js'
import { reportProposed } from './report-proposal.js'
import { reportRefused, reportTaken } from './report-push.js'

/** Carries out the push, reads all of it, and reports the outcome. Rejects if the client has gone, and for faults of the service. */
export async function receivePush(push: Push): Promise<PushReport> {
  let endHold: (() => void) | undefined
  let quarantine: Quarantine | undefined
  try {
    const allowed = allowPush(push)
    if (mainIn(allowed) !== undefined) endHold = push.pushLine.hold(push.site, push.principal)
    if (allowed.proposal !== undefined) await refuseProposal(allowed, allowed.proposal)
    quarantine = await receiveObjects(allowed)
    const { proposal } = allowed
    if (proposal !== undefined && quarantine !== undefined)
      return await propose({ ...allowed, proposal, quarantine, isJoined: false })
    const received = await joinToFirst(allowed, quarantine)
    const judged = await judgeReceived(received)
    const tagRefusal = judged.isDryRun ? null : await landPush(judged)
    return reportTaken(judged, tagRefusal)
  } catch (error) {
    return await reportRefused(push, error)
  } finally {
    endHold?.()
    // Not awaited: the client need not wait for the folder to go.
    if (quarantine !== undefined) void dropQuarantine(quarantine)
  }
}

async function propose(received: ReceivedProposal): Promise<PushReport> {
  const judged = await judgeProposal(received)
  return reportProposed(judged, judged.isDryRun ? undefined : await landProposal(judged))
}
