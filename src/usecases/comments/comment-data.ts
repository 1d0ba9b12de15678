// Comments as the API answers them.

import type { CommentAuthorKind, CommentData } from '../../../schemas/comments.js'
import { type Comment, readSubject } from '../../catalog/requests/comments.js'
import type { Call } from '../context/call.js'
import { isAuthor } from '../protection/request-author.js'

/** The parts of a file that a comment is about, as the column has them. */
export type Place = Partial<Pick<CommentData, 'quote' | 'lines'>>

type Showing = Pick<Call<'catalog'>, 'catalog'>
type ShownComment = Omit<CommentData, 'mine'>

/** `newest` is the commit that the subject has by now; null once it has none. */
export function toCommentData(
  call: Showing & Pick<Call, 'principal'>,
  comment: Comment,
  newest: string | null,
): CommentData {
  return { ...showComment(call, comment, newest), mine: isAuthor(comment, call.principal) }
}

/** Does the same for somebody who is no principal. */
export function showComment({ catalog }: Showing, comment: Comment, newest: string | null): ShownComment {
  const { id, siteId, number, commit, path, text, inReplyTo, asksForChanges, createdAt, editedAt } = comment
  const subject = readSubject(comment.subject)
  const { quote = null, lines = null } = comment.place === null ? {} : (JSON.parse(comment.place) as Place)
  const thread = inReplyTo === null ? comment : (catalog.comments.find(inReplyTo) ?? comment)
  return {
    id,
    siteId,
    changeRequest: 'request' in subject ? subject.request : null,
    page: 'page' in subject ? subject.page : null,
    number,
    commit,
    outdated: commit !== newest,
    path,
    quote,
    lines,
    text,
    inReplyTo,
    asksForChanges,
    author: { label: comment.author, kind: kindOf(comment), userId: comment.userId },
    createdAt,
    editedAt,
    resolvedAt: thread.resolvedAt,
    resolvedBy: thread.resolvedBy,
  }
}

/** A session is a person's, also one that began before people had accounts. */
function kindOf({ madeBy }: Comment): CommentAuthorKind {
  const [kind = ''] = madeBy.split(' ')
  return kind === 'user' || kind === 'session' ? 'person' : (kind as CommentAuthorKind)
}
