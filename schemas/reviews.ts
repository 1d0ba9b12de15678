// Reviews by guests: people without an account who have a review link.

import { type Static, Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { author, pagePath, url } from './answer-texts.js'
import { MAX_TITLE_CHARACTERS } from './change-requests.js'
import { commentData, commentOnRequestBody } from './comments.js'
import { closed, fileChange, nullable, oid, timestamp } from './common.js'

const MAX_PAGES = 200
export const MAX_SHOWN_COMMENTS = 500

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The words after `#` in the URL of the review.',
})

export const readReviewBody = Type.Object({ token }, { ...closed, title: 'ReadReview' })

const { text, inReplyTo, path, quote, commit } = commentOnRequestBody.properties

export const commentAsGuestBody = Type.Object(
  {
    token,
    name: Type.String({
      minLength: 1,
      maxLength: MAX_LABEL_CHARACTERS,
      pattern: LABEL_PATTERN,
      description: 'The name that the others read. Nobody checks it.',
    }),
    text,
    inReplyTo,
    path,
    quote,
    commit,
  },
  { ...closed, title: 'CommentAsGuest' },
)

const { id, number, commit: madeOn, outdated, createdAt, editedAt, resolvedAt, resolvedBy } = commentData.properties
const { label, kind } = commentData.properties.author.properties

/** A comment without the ids of people, of the site and of the change request. */
export const guestCommentData = Type.Object(
  {
    id,
    number,
    commit: madeOn,
    outdated,
    path: commentData.properties.path,
    quote: commentData.properties.quote,
    text: commentData.properties.text,
    inReplyTo: commentData.properties.inReplyTo,
    author: Type.Object({ label, kind }, closed),
    createdAt,
    editedAt,
    resolvedAt,
    resolvedBy,
  },
  { ...closed, title: 'GuestComment' },
)
export type GuestCommentData = Static<typeof guestCommentData>

export const reviewData = Type.Object(
  {
    site: Type.String({ maxLength: 80, description: 'The name of the site.' }),
    number: Type.Integer({ minimum: 1, description: 'The number of the change request.' }),
    title: Type.String({ maxLength: MAX_TITLE_CHARACTERS }),
    state: Type.Enum(['draft', 'review']),
    head: oid('Its newest commit.'),
    sentBy: author({ description: 'Who made the link.' }),
    expiresAt: timestamp('When the link expires.'),
    mayComment: Type.Boolean({ description: 'Whether the site lets guests comment.' }),
    previewUrl: url({ description: 'Opens the start page as the change request makes it; a path may follow.' }),
    frameUrl: nullable(
      url({
        description:
          'The same for a frame, without a cookie; a path may follow. It ends within ten minutes, and with the link. Null: there is no room.',
      }),
    ),
    pages: Type.Array(Type.Object({ path: pagePath(), change: fileChange.properties.change }, closed), {
      maxItems: MAX_PAGES,
      description: 'The first 200 pages that it changes.',
    }),
    comments: Type.Array(guestCommentData, { maxItems: MAX_SHOWN_COMMENTS }),
  },
  { ...closed, title: 'Review' },
)
export type ReviewData = Static<typeof reviewData>
export { MAX_PAGES as MAX_REVIEWED_PAGES }
