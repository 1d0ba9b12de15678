// Undoes commits of a site in a new commit; commits between them stay as they are.

import type { CommitData, UndoData } from '../../../schemas/commits.js'
import type { Site } from '../../catalog/site.js'
import { toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { findSite } from '../context/target.js'
import { answerable, toWrite, writeSite } from '../context/write-site.js'
import { describeDraft } from '../pages/dry-run.js'
import { commitNotFound, ownWork, readCommit, readCommits, requireCommit } from './site-history.js'

/** The most commits that one request may name. */
const MAX_COMMITS = 500
const NOTHING: UndoData = { commit: null, changed: false, undone: [] }

/** Either commits, or everything that the caller did since a time. */
interface Wanted {
  commits?: readonly string[]
  since?: string
}

/** Undoes a commit path by path. Throws `revert_conflict` with the paths that conflict. */
export async function revertCommit(
  services: Services,
  context: RequestContext,
  input: ResourceId & { commit: string; reason?: string },
): Promise<Result<CommitData>> {
  const site = findSite(services, context, input.id)
  const replay = async (facts: { oid: string }) => asCreated(site, await readCommit(services, context, site, facts.oid))
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      const commit = await requireCommit(services, site, input.commit)
      const notes = { reason: input.reason, idempotency }
      const written = await writeSite(services, context, site, revertOf(services, site, [commit]), notes)
      const data = await answerable(written, () => readCommit(services, context, site, written.commit))
      if (written.changed) return { result: asCreated(site, data), committed: true }
      return { result: { data: { ...data, changed: false } }, committed: false }
    },
  )
}

/** Undoes all commits or none. Throws `revert_conflict` with the conflicts of each commit that cannot be undone. */
export async function undoCommits(
  services: Services,
  context: RequestContext,
  input: ResourceId & DryRunInput & Wanted & { reason?: string },
): Promise<Result<UndoData>> {
  const site = findSite(services, context, input.id)
  if (input.dryRun === true)
    return await showUndo(services, context, site, await findCommits(services, context, site, input))
  const replay = async (facts: { oid: string; message: string }) => {
    const undone = Array.from(facts.message.matchAll(/^This reverts commit ([0-9a-f]{40})\.$/gm), ([, oid = '']) => oid)
    return { data: await toUndoData(services, context, site, undone, facts.oid) }
  }
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      const commits = await findCommits(services, context, site, input)
      if (commits.length === 0) return { result: { data: NOTHING }, committed: false }
      const notes = { reason: input.reason, idempotency }
      const written = await writeSite(services, context, site, revertOf(services, site, commits), notes)
      const commit = written.changed ? written.commit : null
      const data = await answerable(written, () => toUndoData(services, context, site, commits, commit))
      return { result: { data }, committed: written.changed }
    },
  )
}

async function showUndo(
  services: Services,
  context: RequestContext,
  site: Site,
  commits: readonly string[],
): Promise<Result<UndoData>> {
  if (commits.length === 0) return { data: NOTHING }
  const draft = await services.store.draft(site, toWrite(services, context, revertOf(services, site, commits)))
  // The request is short, but its merged files are in memory.
  await context.hold(draft.bytes, 'made')
  const data = await toUndoData(services, context, site, commits, null)
  return { data: { ...data, changed: draft.written.changed, dryRun: await describeDraft(services, site, draft) } }
}

/**
 * Returns the commits newest first. Throws `version_not_found` unless main's first-parent history has them all, and `conflict` past 500.
 */
async function findCommits(
  services: Services,
  context: RequestContext,
  site: Site,
  { commits, since }: Wanted,
): Promise<string[]> {
  const { indexFollower } = services
  if ((commits === undefined) === (since === undefined)) {
    throw new ServiceError('invalid_body', 'Send either "commits", or "since" to undo all that you did since then.')
  }
  if (commits === undefined) {
    const query = {
      ...ownWork(services, context, site),
      since: toSeconds(new Date(since ?? '')),
      limit: MAX_COMMITS + 1,
    }
    const found = await indexFollower.read(site, (index) => index.commits.list(query))
    if (found.length <= MAX_COMMITS) return found
    throw new ServiceError('conflict', `You made more than ${MAX_COMMITS} commits since then: name a later time.`)
  }
  const wanted = new Set<string>()
  for (const commit of commits) wanted.add(await requireCommit(services, site, commit))
  const found = await indexFollower.read(site, (index) => index.commits.onMain([...wanted]))
  if (found.length < wanted.size) throw commitNotFound()
  return found
}

function revertOf({ catalog }: Services, site: Site, commits: readonly string[]): Operation {
  return { kind: 'revert-commits', commits, withheld: catalog.withdrawals.list(site.id) }
}

async function toUndoData(
  services: Services,
  context: RequestContext,
  site: Site,
  commits: readonly string[],
  commit: string | null,
): Promise<UndoData> {
  const read = await readCommits(services, context, site, commits)
  const undone = read.map(({ id, subject, author, createdAt }) => ({ id, subject, author, createdAt }))
  return { commit, changed: commit !== null, undone }
}

function asCreated(site: Site, data: CommitData): Result<CommitData> {
  return { data, created: true, location: `/sites/${site.id}/commits/${data.id}` }
}
