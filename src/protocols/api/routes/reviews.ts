// The endpoints of guests: people without an account who have a review link. Only the page of the review uses them.

import { commentAsGuestBody, guestCommentData, readReviewBody, reviewData } from '../../../../schemas/reviews.js'
import { commentAsGuest, readReview } from '../../../usecases/reviews/guest-review.js'
import { openRoute } from './open-route.js'

/** Bounds of bodies that anybody may send. */
const MAX_TOKEN_BYTES = 4_096
const MAX_COMMENT_BYTES = 64 * 1024

export const reviewRoutes = [
  openRoute({
    method: 'post',
    path: '/guest/review',
    operationId: 'readReview',
    tag: 'Reviews by guests',
    summary: 'Read a change request with a review link',
    description: 'Its title, the pages that it changes, its comments, and the URL of its preview.',
    limit: 'guests',
    json: readReviewBody,
    maxBytes: MAX_TOKEN_BYTES,
    data: reviewData,
    errors: ['review_link_invalid'],
    run: (call, { token }) => readReview(call, token),
  }),
  openRoute({
    method: 'post',
    path: '/guest/comments',
    operationId: 'commentAsGuest',
    tag: 'Reviews by guests',
    summary: 'Comment with a review link',
    description: 'Where the site lets guests comment: `guestComments`.',
    limit: 'guests',
    json: commentAsGuestBody,
    maxBytes: MAX_COMMENT_BYTES,
    data: guestCommentData,
    creates: true,
    errors: [
      'comment_not_found',
      'file_not_found',
      'guest_comments_off',
      'invalid_path',
      'review_link_invalid',
      'too_many_comments',
      'version_not_found',
    ],
    run: (call, { token, ...input }) => commentAsGuest(call, token, { ...input, from: call.from }),
  }),
]
