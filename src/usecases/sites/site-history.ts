// A site's commits: list and read.

import type { CommitData } from '../../../schemas/sites.js'
import type { Site } from '../../catalog/sites.js'
import { toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { isOid } from '../../model/ids.js'
import type { LoggedCommit } from '../../store/store.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { toFileChanges } from '../context/file-changes.js'
import type { Services } from '../context/services.js'
import { makeCursor, readCursor } from '../context/slice.js'
import type { RequestContext } from '../context/request-context.js'
import { findSite } from '../context/target.js'

const LIST = 'commits'

/** The first-parent history, newest first. */
export async function listCommits(
  services: Services,
  context: RequestContext,
  input: ResourceId & SliceInput,
): Promise<Result<CommitData[]>> {
  const site = findSite(services, context, input.id)
  const { limit = DEFAULT_LIMIT, cursor } = input
  const start = cursor === undefined ? undefined : await requireCommit(services, site, readCursor(LIST, cursor))
  const data: CommitData[] = []
  for (const commit of services.store.history(site, start)) {
    if (data.length === limit) return { data, nextCursor: makeCursor(LIST, commit.oid) }
    data.push(toCommitData(commit))
  }
  return { data, nextCursor: null }
}

/** One commit with the files that differ from its first parent. */
export async function getCommit(
  services: Services,
  context: RequestContext,
  input: ResourceId & { oid: string },
): Promise<Result<CommitData>> {
  const site = findSite(services, context, input.id)
  const data = readCommit(services, site, await requireCommit(services, site, input.oid))
  const changes = services.store.changes(site, data.id)
  return { data: { ...data, files: toFileChanges(changes), fileCount: changes.length } }
}

export function readCommit({ store }: Services, site: Site, oid: string): CommitData {
  const [commit] = store.history(site, oid)
  if (commit === undefined) throw commitNotFound()
  return toCommitData(commit)
}

/** The oid, if it is on main's first-parent history. A commit that main lost is never shown. Throws `version_not_found`. */
export async function requireCommit({ indexFollower }: Services, site: Site, given: string): Promise<string> {
  const oid = given.toLowerCase()
  const found = isOid(oid) ? await indexFollower.read(site, (index) => index.commits.findByPrefix(site.id, oid)) : []
  if (found.length === 0) throw commitNotFound()
  return oid
}

export function commitNotFound(): ServiceError {
  return new ServiceError(
    'version_not_found',
    'There is no such commit in this site: give the full id of one of its commits.',
  )
}

function toCommitData({ oid, commit, subject, message }: LoggedCommit): CommitData {
  return {
    id: oid,
    parent: commit.parents[0] ?? null,
    author: commit.author.name,
    subject,
    message,
    createdAt: toTimestamp(commit.committer.time),
  }
}
