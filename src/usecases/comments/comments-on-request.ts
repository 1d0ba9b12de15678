// Comments on a change request. Whoever sees the request reads them; whoever sees it and may propose writes them.

import type { CommentData } from '../../../schemas/comments.js'
import { subjectOf } from '../../catalog/requests/comments.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import { recordAudit } from '../context/audit.js'
import type { Call, Finding, Reading, SiteCall } from '../context/call.js'
import { findRequest, type FoundRequest, refuseClosed } from '../context/change-request.js'
import type { ResourceId, SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { insufficientScope } from '../context/target.js'
import { headOf } from '../requests/request-data.js'
import { madeByOf } from '../protection/request-author.js'
import { toCommentData } from './comment-data.js'
import { readComments } from './read-comments.js'
import { type CommentInput, writeComment } from './write-comment.js'

/** Lists the comments in the order in which they were written. Throws `change_request_not_found`. */
export async function listRequestComments(
  asked: Call<Finding>,
  input: ResourceId & SliceInput & { path?: string; open?: boolean },
): Promise<Result<CommentData[]>> {
  const { row, site } = findRequest(asked, input.id)
  const head = headOf(asked, site)
  const { comments, nextCursor } = await readComments(asked, subjectOf({ request: row.id }), input)
  return { data: comments.map((comment) => toCommentData(asked, comment, head)), nextCursor }
}

/** Throws `change_request_closed`, `version_not_found`, `file_not_found`, and as `writeComment` does. */
export async function commentOnRequest(
  asked: Call<Finding | 'idempotency' | 'newId'>,
  input: ResourceId & CommentInput & { commit?: string },
): Promise<Result<CommentData>> {
  const found = findRequest(asked, input.id)
  const { row, site } = found
  const call = { ...asked, site }
  const { principal, catalog } = call
  if (input.asksForChanges === true && !holdsScope(call.target.scopes, 'write'))
    throw insufficientScope(principal, 'write')
  return await call.idempotency.once(call, { site, input }, async () => {
    refuseClosed(row)
    const head = call.store.reader.head(site)
    const commit = await commitToComment(call, found, input.commit?.toLowerCase() ?? head)
    if (input.path !== undefined) refuseNoFile(call, commit, input.path)
    const by = { author: principal.label, ...madeByOf(principal) }
    const made = await writeComment(call, input, { subject: subjectOf({ request: row.id }), commit, by })
    await catalog.changeRequests.touch(row)
    if (made.asksForChanges) await catalog.changeRequests.setState(row.id, ['review'], 'draft')
    const details = { site: site.id, changeRequest: row.id, ...(made.asksForChanges && { asksForChanges: true }) }
    await recordAudit(call, { action: 'comment.create', target: `comment ${made.id}`, details })
    const data = toCommentData(call, catalog.comments.find(made.id) ?? made, head)
    return { result: { data, created: true, location: `/comments/${made.id}` }, committed: false }
  })
}

/** Returns the commit, if the request has it, or main had it before the request began. Throws `version_not_found`. */
export async function commitToComment(
  { indexFollower }: Pick<SiteCall<Reading>, Reading>,
  { row, site }: FoundRequest,
  commit: string,
): Promise<string> {
  const [found] = await indexFollower.read(site, ({ commits }) => commits.findByPrefix(commit))
  if (found === commit) return commit
  throw new ServiceError(
    'version_not_found',
    `Change request ${row.number} has no such commit: look at it again, and send its head, or leave out commit.`,
  )
}

/** Throws `file_not_found` for a path that neither the commit nor main has. */
export function refuseNoFile(
  { store, site }: Pick<SiteCall<Reading>, 'store' | 'site'>,
  commit: string,
  path: string,
): void {
  const treePath = path.startsWith('/') ? treePathOf(parsePagePath(path)) : path
  const places = [store.reader.snapshot(site).commitAt(commit), store.reader.snapshot(mainOf(site))]
  if (places.some((snapshot) => snapshot?.entry(treePath) !== undefined)) return
  throw new ServiceError(
    'file_not_found',
    'Neither main nor this change request has a file at this path: send one of GET /change-requests/{id}/changes, or leave out path.',
  )
}
