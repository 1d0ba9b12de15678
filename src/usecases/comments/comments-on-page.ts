// Comments on the versions of a page. Whoever sees the page reads them; whoever may propose writes them.

import type { CommentData } from '../../../schemas/comments.js'
import { subjectOf } from '../../catalog/requests/comments.js'
import { recordAudit } from '../context/audit.js'
import type { Call, Finding } from '../context/call.js'
import type { ResourceId, SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findPage } from '../pages/find-page.js'
import { findVersion } from '../pages/versions.js'
import { madeByOf } from '../protection/request-author.js'
import { toCommentData } from './comment-data.js'
import { readComments } from './read-comments.js'
import { type CommentInput, writeComment } from './write-comment.js'

/** Lists the comments in the order in which they were written. Throws `page_not_found`. */
export async function listPageComments(
  asked: Call<Finding>,
  input: ResourceId & SliceInput & { open?: boolean },
): Promise<Result<CommentData[]>> {
  const { site, row } = await findPage(asked, input.id)
  const call = { ...asked, site }
  const { commit } = await findVersion(call, row.id, row.version.number)
  const { comments, nextCursor } = await readComments(call, subjectOf({ siteId: site.id, page: row.id }), input)
  return { data: comments.map((comment) => toCommentData(call, comment, commit)), nextCursor }
}

/** Throws `page_not_found`, `version_not_found`, and as `writeComment` does. */
export async function commentOnPage(
  asked: Call<Finding | 'idempotency' | 'newId'>,
  input: ResourceId & CommentInput & { commit?: string },
): Promise<Result<CommentData>> {
  const { site, row } = await findPage(asked, input.id)
  const call = { ...asked, site }
  const { principal, catalog } = call
  return await call.idempotency.once(call, { site, input }, async () => {
    const newest = await findVersion(call, row.id, row.version.number)
    const { commit } = input.commit === undefined ? newest : await findVersion(call, row.id, input.commit)
    const by = { author: principal.label, ...madeByOf(principal) }
    const made = await writeComment(call, input, { subject: subjectOf({ siteId: site.id, page: row.id }), commit, by })
    const details = { site: site.id, page: row.id }
    await recordAudit(call, { action: 'comment.create', target: `comment ${made.id}`, details })
    const data = toCommentData(call, catalog.comments.find(made.id) ?? made, newest.commit)
    return { result: { data, created: true, location: `/comments/${made.id}` }, committed: false }
  })
}
