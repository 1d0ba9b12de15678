// Changes a comment: its text, whether its thread is resolved, or whether it exists. To those who do not see what it is on, it does not
// exist.

import type { CommentData } from '../../../schemas/comments.js'
import type { DeletedData } from '../../../schemas/common.js'
import { type Comment, readSubject } from '../../catalog/requests/comments.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import { makerOf } from '../../model/principal.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { recordAudit } from '../context/audit.js'
import type { Call, Finding, SiteCall } from '../context/call.js'
import { findRequest } from '../context/change-request.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { visibleSite } from '../context/target.js'
import { findPage } from '../pages/find-page.js'
import { findVersion } from '../pages/versions.js'
import { isAuthor } from '../protection/request-author.js'
import { headOf } from '../requests/request-data.js'
import { toCommentData } from './comment-data.js'
import { findThread, noComment, refuseBlank } from './write-comment.js'

/** Throws `comment_not_found`, and `comment_of_another` for the text of somebody else. */
export async function changeComment(
  asked: Call<Finding>,
  input: ResourceId & { text?: string; resolved?: boolean },
): Promise<Result<CommentData>> {
  const { comment, site } = findComment(asked, input.id)
  const { catalog, principal } = asked
  const { text, resolved } = input
  const call = { ...asked, site }
  if (text !== undefined && !isAuthor(comment, principal))
    throw new ServiceError('comment_of_another', 'Only its author changes the text of a comment: answer it instead.')
  if (text !== undefined) refuseBlank(text)
  const thread = findThread(catalog, comment.subject, comment.id)
  if (text !== undefined) await catalog.comments.edit(comment.id, text)
  if (resolved !== undefined) await catalog.comments.resolve(thread.id, resolved ? principal.label : null)
  const details = {
    site: site.id,
    ...(text !== undefined && { text: true }),
    ...(resolved !== undefined && { resolved }),
  }
  await recordAudit(call, { action: 'comment.change', target: `comment ${comment.id}`, details })
  const newest = await newestOf(call, comment)
  return { data: toCommentData(call, findComment(asked, comment.id).comment, newest) }
}

/**
 * Deletes a comment with those that answer it. Throws `comment_not_found`, `comment_of_another`, and `conflict` for an author whom others have
 * answered: an editor deletes that too.
 */
export async function deleteComment(asked: Call<Finding>, { id }: ResourceId): Promise<Result<DeletedData>> {
  const { comment, site } = findComment(asked, id)
  const { catalog, principal, target } = asked
  const isEditor = holdsScope(target.scopes, 'write')
  if (!isEditor && !isAuthor(comment, principal))
    throw new ServiceError(
      'comment_of_another',
      'Its author or an editor of the site deletes a comment: ask one of them.',
    )
  if (!(await catalog.comments.remove(comment.id, isEditor ? undefined : makerOf(principal))))
    throw new ServiceError(
      'conflict',
      'Others have answered it: resolve it, or ask an editor of the site to delete it.',
    )
  const details = { site: site.id, author: comment.madeBy }
  await recordAudit(asked, { action: 'comment.delete', target: `comment ${comment.id}`, details })
  return { data: { id: comment.id } }
}

interface FoundComment {
  comment: Comment
  /** Stands for the change request, if the comment is on one. */
  site: Site
}

/** Throws `comment_not_found`. */
function findComment(call: Call<'catalog'>, id: string): FoundComment {
  const comment = call.catalog.comments.find(id.toLowerCase())
  const site = comment && visibleSite(call, comment.siteId)
  if (comment === undefined || site === undefined) throw noComment()
  const subject = readSubject(comment.subject)
  if ('page' in subject) return { comment, site }
  try {
    return { comment, site: findRequest(call, subject.request).site }
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'change_request_not_found' ? noComment() : error
  }
}

/** Returns the newest commit of what it is on; null once there is none. */
async function newestOf(call: SiteCall<Finding>, { subject }: Comment): Promise<string | null> {
  const on = readSubject(subject)
  if ('request' in on) return headOf(call, { ...call.site, request: on.request })
  const { row } = await findPage({ ...call, target: { ...call.target, site: call.site } }, on.page)
  return (await findVersion(call, row.id, row.version.number)).commit
}
