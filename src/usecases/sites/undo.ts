// Undoes commits of a site in a new commit; commits between them stay as they are.

import type { CommitData, UndoData } from '../../../schemas/sites.js'
import type { Site } from '../../catalog/sites.js'
import type { Operation } from '../../store/protocol/write.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { findSite } from '../context/target.js'
import { answerable, toWrite, writeSite } from '../context/write-site.js'
import { describeDraft } from '../pages/dry-run.js'
import { commitNotFound, readCommit, requireCommit } from './site-history.js'

/** Undoes a commit as `git revert` does. Throws `revert_conflict` with the conflicting hunks. */
export async function revertCommit(
  services: Services,
  context: RequestContext,
  input: ResourceId & { commit: string; reason?: string },
): Promise<Result<CommitData>> {
  const site = findSite(services, context, input.id)
  const replay = (facts: { oid: string }) => asCreated(site, readCommit(services, site, facts.oid))
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      const commit = await requireCommit(services, site, input.commit)
      const notes = { reason: input.reason, idempotency }
      const written = await writeSite(services, context, site, revertOf(services, site, [commit]), notes)
      const data = await answerable(written, () => readCommit(services, site, written.commit))
      if (written.changed) return { result: asCreated(site, data), committed: true }
      return { result: { data: { ...data, changed: false } }, committed: false }
    },
  )
}

/** All commits or none. Throws `revert_conflict` with the conflicts of each commit that cannot be undone. */
export async function undoCommits(
  services: Services,
  context: RequestContext,
  input: ResourceId & DryRunInput & { commits: readonly string[]; reason?: string },
): Promise<Result<UndoData>> {
  const site = findSite(services, context, input.id)
  if (input.dryRun === true) return await showUndo(services, context, site, await findCommits(services, site, input))
  const replay = (facts: { oid: string; message: string }) => {
    const undone = Array.from(facts.message.matchAll(/^This reverts commit ([0-9a-f]{40})\.$/gm), ([, oid = '']) => oid)
    return { data: toUndoData(services, site, undone, facts.oid) }
  }
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      const commits = await findCommits(services, site, input)
      const notes = { reason: input.reason, idempotency }
      const written = await writeSite(services, context, site, revertOf(services, site, commits), notes)
      const commit = written.changed ? written.commit : null
      const data = await answerable(written, () => toUndoData(services, site, commits, commit))
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
  const draft = await services.store.draft(site, toWrite(services, context, revertOf(services, site, commits)))
  const data = toUndoData(services, site, commits, null)
  return { data: { ...data, changed: draft.written.changed, dryRun: await describeDraft(services, site, draft) } }
}

/** Newest first. Throws `version_not_found` unless main's first-parent history has them all. */
async function findCommits(
  { indexFollower }: Services,
  site: Site,
  { commits }: { commits: readonly string[] },
): Promise<string[]> {
  const wanted = [...new Set(commits)]
  const found = await indexFollower.read(site, (index) => index.commits.onMain(site.id, wanted))
  if (found.length < wanted.length) throw commitNotFound()
  return found
}

function revertOf({ catalog }: Services, site: Site, commits: readonly string[]): Operation {
  return { kind: 'revert-commits', commits, withheld: catalog.withdrawals.list(site.id) }
}

function toUndoData(services: Services, site: Site, commits: readonly string[], commit: string | null): UndoData {
  const undone = commits.map((oid) => {
    const { id, subject, author, createdAt } = readCommit(services, site, oid)
    return { id, subject, author, createdAt }
  })
  return { commit, changed: commit !== null, undone }
}

function asCreated(site: Site, data: CommitData): Result<CommitData> {
  return { data, created: true, location: `/sites/${site.id}/commits/${data.id}` }
}
