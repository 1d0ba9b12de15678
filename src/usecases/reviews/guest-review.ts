// Shows a change request to a guest: somebody without an account who has a review link. The link gives its preview and its comments, and
// nothing else. It ends as every link to a change request does.

import { timingSafeEqual } from 'node:crypto'
import {
  type GuestCommentData,
  MAX_REVIEWED_PAGES,
  MAX_SHOWN_COMMENTS,
  type ReviewData,
} from '../../../schemas/reviews.js'
import type { SiteLink } from '../../catalog/links.js'
import { type Comment, guestOf, subjectOf } from '../../catalog/requests/comments.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { linkLabelOf } from '../../model/hosts/version-label.js'
import { hashKey } from '../../model/key-format.js'
import { parseLabel } from '../../model/label.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { parseReviewToken, previewSecretOf } from '../access/review-secret.js'
import { findLink } from '../access/usable-link.js'
import { showComment } from '../comments/comment-data.js'
import { commitToComment, refuseNoFile } from '../comments/comments-on-request.js'
import { type CommentInput, writeComment } from '../comments/write-comment.js'
import type { FoundRequest } from '../context/change-request.js'
import { toFileChange } from '../context/file-changes.js'
import type { RequestOrigin } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { type MergeParts, readHeads } from '../requests/merge-branches.js'

type Parts = MergeParts & Pick<Services, 'baseUrl' | 'clock' | 'newId' | 'previews' | 'siteDomain'>

interface Review extends FoundRequest {
  link: SiteLink
  /** The secret of the preview. */
  previewSecret: string
}

/** Throws `review_link_invalid`. */
export async function readReview(parts: Parts, token: string): Promise<Result<ReviewData>> {
  const { row, site, link, previewSecret } = findReview(parts, token)
  const { base, request: head } = await readHeads(parts, site)
  const pages = parts.store.commits.changesSince(site, base, head).flatMap((changed) => {
    const page = pagePathOf(changed.path)
    return page === undefined ? [] : [{ path: page, change: toFileChange(changed).change }]
  })
  const frame = parts.previews.keepForLink(site, { link: link.id, base, commit: head })
  const comments = await parts.catalog.comments.list(subjectOf({ request: row.id }), { limit: MAX_SHOWN_COMMENTS })
  return {
    data: {
      site: site.name ?? site.slug,
      number: row.number,
      title: row.title,
      state: row.state === 'review' ? 'review' : 'draft',
      head,
      sentBy: link.author,
      expiresAt: link.expiresAt,
      mayComment: site.guestComments,
      previewUrl: `${siteUrlOf(parts, linkLabelOf(link.id))}/.open/${previewSecret}/`,
      frameUrl: frame === undefined ? null : `${siteUrlOf(parts, frame.label)}/`,
      pages: pages.slice(0, MAX_REVIEWED_PAGES),
      comments: comments.map((comment) => toGuestData(parts, comment, head)),
    },
  }
}

/** Throws `review_link_invalid`, `guest_comments_off`, and as a comment of a member does. */
export async function commentAsGuest(
  parts: Parts,
  token: string,
  { name, from, ...input }: CommentInput & { name: string; commit?: string; from?: RequestOrigin },
): Promise<Result<GuestCommentData>> {
  const { row, site, link } = findReview(parts, token)
  if (!site.guestComments)
    throw new ServiceError(
      'guest_comments_off',
      'This site takes no comments of guests: answer whoever sent you the link.',
    )
  const head = parts.store.reader.head(site)
  const commit = await commitToComment(parts, { row, site }, input.commit?.toLowerCase() ?? head)
  if (input.path !== undefined) refuseNoFile({ ...parts, site }, commit, input.path)
  const by = { author: parseLabel(name, 'name'), madeBy: guestOf(link.id), userId: null }
  const subject = subjectOf({ request: row.id })
  const made = await writeComment({ ...parts, site }, input, { subject, commit, by })
  await parts.catalog.audit.record({
    workspaceId: site.workspaceId,
    actor: { kind: 'nobody', id: link.id },
    action: 'comment.create',
    target: `comment ${made.id}`,
    details: { site: site.id, changeRequest: row.id, link: link.id },
    personal: { name, ...from },
  })
  return { data: toGuestData(parts, made, head), created: true }
}

/** Finds the change request of the link. Throws `review_link_invalid`: also if it is closed, or the link's maker could not make it now. */
function findReview(parts: Parts, token: string): Review {
  const { linkId, secret } = parseReviewToken(token) ?? {}
  const link = linkId === undefined ? undefined : findLink(parts, linkId)
  const row = link?.request === undefined ? undefined : parts.catalog.changeRequests.find(link.request)
  const [site] = link === undefined ? [] : parts.catalog.sites.findByIdPrefix(link.siteId)
  if (link === undefined || secret === undefined || row === undefined || site === undefined) throw invalid()
  const previewSecret = previewSecretOf(secret)
  if (!timingSafeEqual(Buffer.from(hashKey(previewSecret)), Buffer.from(link.hash))) throw invalid()
  return { row, site: { ...site, request: row.id }, link, previewSecret }
}

function invalid(): ServiceError {
  return new ServiceError(
    'review_link_invalid',
    'This link has expired or was ended, or the change is published: ask whoever sent it for another one.',
  )
}

function toGuestData(parts: Parts, comment: Comment, head: string): GuestCommentData {
  const { author, ...shown } = showComment(parts, comment, head)
  const { id, number, commit, outdated, path, quote, text, inReplyTo, createdAt, editedAt, resolvedAt, resolvedBy } =
    shown
  const place = { commit, outdated, path, quote }
  const { label, kind } = author
  return { id, number, ...place, text, inReplyTo, author: { label, kind }, createdAt, editedAt, resolvedAt, resolvedBy }
}
