// Judges a push to refs/for/main before any of it is kept, as if it moved main from the commit of main at which it begins. The pages of a
// change request count in the quotas once it is published, its bytes at once.

import { OPEN_REQUESTS } from '../../admission/quotas.js'
import {
  authorOf,
  type ChangeRequest,
  OPEN_STATES,
  type RequestAuthor,
} from '../../catalog/requests/change-requests.js'
import type { Oid } from '../../git/objects/oid.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { PackToInstall } from '../../repository/protocol/write.js'
import type { GitPlace } from '../../repository/pushing/judge/new-commits.js'
import { refusal } from '../../repository/pushing/judge/push-messages.js'
import { packProposal } from '../../repository/pushing/pack-proposal.js'
import { findFork, goesOn, subjectOf } from '../../repository/pushing/proposed-history.js'
import type { Quarantine } from '../../repository/pushing/quarantine.js'
import { headIfReadable } from '../../repository/refs-here.js'
import { madeByOf } from '../protection/request-author.js'
import { refuseTooMany } from '../requests/refuse-too-many.js'
import { refusePushBeyond } from '../quotas/refuse-beyond.js'
import { type Judgement, judgeChanges, placeOf } from './judge-received.js'
import { findProposed, type Proposal, PROPOSE } from './proposal.js'
import type { AllowedPush, ReceivedPush } from './push.js'
import { titleIn } from './push-options.js'

/** It brought objects. */
export interface ReceivedProposal extends ReceivedPush {
  proposal: Proposal
  quarantine: Quarantine
}

/** It may enter. */
export interface JudgedProposal extends ReceivedProposal, Pick<Judgement, 'review'> {
  /** The commit at which its branch is, or begins. */
  before: Oid
  /** All that the repository of the change requests lacks. */
  packed: PackToInstall
}

/**
 * Refuses what needs no objects: a change request that the pusher may not add to, the same commits again, or one too many. Throws PushRefused
 * and ServiceError.
 */
export async function refuseProposal(push: AllowedPush, proposal: Proposal): Promise<void> {
  const { catalog, principal, site } = push
  if (findProposed(push, proposal) !== undefined) return
  const made = { siteId: site.id, ...madeByOf(principal) }
  await refuseRepeated(push, proposal, authorOf(made))
  await refuseTooMany(catalog, made)
}

/** Refuses a tip that an open change request of the same author has: its answer may have been lost. */
async function refuseRepeated({ catalog, site, store }: AllowedPush, { tip }: Proposal, author: RequestAuthor) {
  const asked = { states: OPEN_STATES, author, limit: OPEN_REQUESTS.author.quota }
  const open = await catalog.changeRequests.list(site.id, asked)
  const same = open.find(({ id }) => headIfReadable(store.repositories, { ...site, request: id }) === tip)
  if (same !== undefined) throw refusal(`change request ${same.number} has these commits already.`)
}

/** Throws PushRefused and ServiceError. */
export async function judgeProposal(push: ReceivedProposal): Promise<JudgedProposal> {
  const { proposal, quarantine, signal, site } = push
  const { tip } = proposal
  const head = push.store.reader.head(site)
  const place = placeOf(push)
  const fork = await findFork(place, head, tip, async (commits) => await onMain(push, commits))
  const row = findProposed(push, proposal)
  const before = row === undefined ? fork : await headOf(push, place, row)
  const { warnings, review } = await judgeChanges(push, [{ ref: MAIN, before, after: tip }])
  const packed = await packProposal({ gitdir: place.gitdir, quarantine, tip, without: [head, before] }, { signal })
  await refusePushBeyond(push, site.workspaceId, packed.bytes, undefined)
  const title = proposal.title ?? (row === undefined ? titleIn(await subjectOf(place, tip)) : undefined)
  return {
    ...push,
    proposal: { ...proposal, title },
    before,
    packed,
    review,
    lines: [...push.lines, ...warnings],
  }
}

async function onMain({ indexFollower, site }: ReceivedPush, commits: readonly Oid[]): Promise<readonly Oid[]> {
  return await indexFollower.read(site, (index) => index.commits.onMain(commits))
}

/** Returns the commit at which the change request is. Throws PushRefused unless the push goes on from there. */
async function headOf(push: ReceivedProposal, place: GitPlace, { id, number }: ChangeRequest): Promise<Oid> {
  const { store, site, proposal } = push
  const head = store.reader.head({ ...site, request: id })
  if (head === proposal.tip) throw refusal(`change request ${number} has this commit already.`)
  if (await goesOn(place, head, proposal.tip)) return head
  throw refusal(
    `change request ${number} has commits that this push lacks, and a push replaces none. To make another: ${PROPOSE}`,
  )
}
