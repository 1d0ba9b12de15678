// Undoes commits of a site in a new commit; commits between them stay as they are. Or takes the site back to one of its commits.

import type { CommitData, UndoData } from '../../../schemas/commits.js'
import type { Site } from '../../catalog/site.js'
import { toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import type { Undoing } from '../../repository/protocol/write.js'
import type { AtSite, Call, Changing, Finding, SiteCall, Writing } from '../context/call.js'
import { changeSite } from '../context/change-site.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'
import { describeDraft } from '../pages/dry-run.js'
import { commitNotFound, ownWork, readCommit, readCommits, requireCommit } from './site-history.js'

/** The most commits that one request may name. */
const MAX_COMMITS = 500
const NOTHING: UndoData = { commit: null, changed: false, undone: [] }

/** Either commits, or everything that the caller did since a time. Or all that differs from a commit, in all paths or in these. */
interface Wanted {
  commits?: readonly string[]
  since?: string
  backTo?: string
  paths?: readonly string[]
}

/** Undoes a commit path by path. Throws `revert_conflict` with the paths that conflict. */
export async function revertCommit(
  asked: Call<Writing>,
  input: ResourceId & { commit: string; reason?: string },
): Promise<Result<CommitData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  return await changeSite(call, {
    input,
    plan: async () => planUndo(call, { commits: [await requireCommit(call, input.commit)] }, input.reason),
    answer: async ({ commit, changed }) => {
      const data = await readCommit(call, commit)
      return changed ? asCreated(call.site, data) : { data: { ...data, changed: false } }
    },
    replay: async ({ oid }) => asCreated(call.site, await readCommit(call, oid)),
  })
}

/** Undoes all commits or none. Throws `revert_conflict` with the conflicts of each commit that cannot be undone. */
export async function undoCommits(
  asked: Call<Changing>,
  input: ResourceId & DryRunInput & Wanted & { reason?: string },
): Promise<Result<UndoData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  return await changeSite(call, {
    input,
    plan: async () => {
      const undoing = await findUndoing(call, input)
      return undoing.commits?.length === 0 ? { nothing: { data: NOTHING } } : planUndo(call, undoing, input.reason)
    },
    answer: async ({ commit, changed }, { commits }) => {
      return { data: await toUndoData(call, commits, changed ? commit : null) }
    },
    show: async (draft, { commits }) => {
      // The request is short, but its merged files are in memory.
      await call.hold(draft.bytes, 'made')
      const data = await toUndoData(call, commits, null)
      return { data: { ...data, changed: draft.written.changed, dryRun: await describeDraft(call, draft) } }
    },
    replay: async ({ message, oid }) => {
      const lines = message.matchAll(/^This reverts commit ([0-9a-f]{40})\.$/gm)
      return {
        data: await toUndoData(
          call,
          Array.from(lines, ([, commit = '']) => commit),
          oid,
        ),
      }
    },
  })
}

/** Throws `invalid_body` unless one thing is wanted. */
async function findUndoing(call: SiteCall<'catalog' | 'indexFollower'>, wanted: Wanted): Promise<Undoing> {
  const { commits, since, backTo, paths } = wanted
  if ([commits, since, backTo].filter((each) => each !== undefined).length !== 1)
    throw new ServiceError(
      'invalid_body',
      'Send one of "commits", "since" to undo all that you did since then, and "backTo" to go back to a commit.',
    )
  if (backTo !== undefined) return { backTo: await requireCommit(call, backTo), ...(paths && { paths }) }
  if (paths !== undefined) throw new ServiceError('invalid_body', 'Send "paths" only with "backTo".')
  return { commits: await findCommits(call, wanted) }
}

/**
 * Returns the commits newest first. Throws `version_not_found` unless main's first-parent history has them all, and `conflict` past 500.
 */
async function findCommits(call: SiteCall<'catalog' | 'indexFollower'>, { commits, since }: Wanted): Promise<string[]> {
  const { site, indexFollower } = call
  if (commits === undefined) {
    const query = {
      ...ownWork(call),
      since: toSeconds(new Date(since ?? '')),
      limit: MAX_COMMITS + 1,
    }
    const found = await indexFollower.read(site, (index) => index.commits.list(query))
    if (found.length <= MAX_COMMITS) return found
    throw new ServiceError('conflict', `You made more than ${MAX_COMMITS} commits since then: name a later time.`)
  }
  const wanted = new Set<string>()
  for (const commit of commits) wanted.add(await requireCommit(call, commit))
  const found = await indexFollower.read(site, (index) => index.commits.onMain([...wanted]))
  if (found.length < wanted.size) throw commitNotFound()
  return found
}

function planUndo({ catalog, site }: AtSite<'catalog'>, undoing: Undoing, reason: string | undefined) {
  const operation = { kind: 'revert-commits', ...undoing, withheld: catalog.withdrawals.list(site.id) } as const
  return { operation, commits: undoing.commits ?? [], reason }
}

async function toUndoData(
  call: SiteCall<Finding>,
  commits: readonly string[],
  commit: string | null,
): Promise<UndoData> {
  const read = await readCommits(call, commits)
  const undone = read.map(({ id, subject, author, createdAt }) => ({ id, subject, author, createdAt }))
  return { commit, changed: commit !== null, undone }
}

function asCreated(site: Site, data: CommitData): Result<CommitData> {
  return { data, created: true, location: `/sites/${site.id}/commits/${data.id}` }
}
