// Stores a comment, of whoever wrote it. An answer belongs to the first comment of its thread, and is where that is.

import { COMMENTS } from '../../admission/comment-rows.js'
import type { Comment, NewComment } from '../../catalog/requests/comments.js'
import { ServiceError } from '../../model/errors.js'
import type { AtSite } from '../context/call.js'
import type { Place } from './comment-data.js'

export interface CommentInput {
  text: string
  inReplyTo?: string
  /** The answer resolves its thread. */
  resolve?: boolean
  path?: string
  quote?: NonNullable<Place['quote']>
  lines?: NonNullable<Place['lines']>
  asksForChanges?: boolean
}

export type CommentAuthor = Pick<NewComment, 'author' | 'madeBy' | 'userId'>

type Written = Pick<NewComment, 'subject' | 'commit'> & { by: CommentAuthor }

/** Throws `invalid_body`, `comment_not_found` and `too_many_comments`. */
export async function writeComment(
  { catalog, newId, site }: AtSite<'catalog' | 'newId'>,
  input: CommentInput,
  { by, ...written }: Written,
): Promise<Comment> {
  refuseBlank(input.text)
  refuseMixed(input)
  const { text, path = null, asksForChanges } = input
  const thread = input.inReplyTo === undefined ? undefined : findThread(catalog, written.subject, input.inReplyTo)
  const made = await catalog.comments.create({
    id: newId(),
    siteId: site.id,
    ...written,
    ...by,
    text,
    path,
    place: placeOf(input),
    inReplyTo: thread?.id ?? null,
    ...(asksForChanges !== undefined && { asksForChanges }),
  })
  if (made === undefined) throw tooMany()
  if (thread !== undefined && input.resolve === true) await catalog.comments.resolve(thread.id, by.author)
  return made
}

/** Finds the first comment of a thread of the subject. Throws `comment_not_found`. */
export function findThread({ comments }: AtSite<'catalog'>['catalog'], subject: string, id: string): Comment {
  const found = comments.find(id.toLowerCase())
  const first = found?.inReplyTo == null ? found : comments.find(found.inReplyTo)
  if (first?.subject !== subject) throw noComment()
  return first
}

/** Throws `invalid_body` for a text in which nothing can be seen. */
export function refuseBlank(text: string): void {
  if (text.trim() === '') throw new ServiceError('invalid_body', 'The text of the comment is empty: write something.')
}

export function noComment(): ServiceError {
  return new ServiceError(
    'comment_not_found',
    'There is no such comment: GET /change-requests/{id}/comments or GET /pages/{id}/comments lists those that are there.',
  )
}

function refuseMixed({ inReplyTo, resolve, path, quote, lines, asksForChanges }: CommentInput): void {
  if (inReplyTo === undefined && resolve === true)
    throw new ServiceError('invalid_body', 'Only an answer resolves: name the comment that it answers in inReplyTo.')
  if (inReplyTo !== undefined && (path ?? quote ?? lines ?? (asksForChanges === true || undefined)) !== undefined)
    throw new ServiceError(
      'invalid_body',
      'An answer is where its thread is: leave out path, quote, lines and asksForChanges, or leave out inReplyTo.',
    )
  if (lines !== undefined && lines.to < lines.from)
    throw new ServiceError('invalid_body', 'The lines end before they begin: make lines.to at least lines.from.')
}

function placeOf({ quote, lines }: CommentInput): string | null {
  if (quote === undefined && lines === undefined) return null
  return JSON.stringify({ ...(quote && { quote }), ...(lines && { lines }) } satisfies Place)
}

function tooMany(): ServiceError {
  const { subject, guests, link, site } = COMMENTS
  return new ServiceError(
    'too_many_comments',
    `Nothing was written: there are as many comments as may be. A change request or a page has at most ${subject.quota}, and a site ${site.quota}. Guests write at most ${guests.quota} on a change request, and ${link.quota} a day by one link. Delete some, or go on elsewhere.`,
  )
}
