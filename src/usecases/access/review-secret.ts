// The secrets of a link to a change request. The host of the preview is shown one of them. Guests send the other to the service itself. The
// first is made from the second, so whoever is shown the first cannot tell the second.

import { createHash } from 'node:crypto'

const TOKEN = /^([0-9a-f-]{36})\.([\w-]{43})$/i

/** Returns the secret of the preview. */
export function previewSecretOf(reviewSecret: string): string {
  return createHash('sha256').update(`preview of ${reviewSecret}`).digest('base64url')
}

/** Returns the words that a guest sends. */
export function reviewTokenOf(linkId: string, reviewSecret: string): string {
  return `${linkId}.${reviewSecret}`
}

/** Reads these words; undefined if they are not such. */
export function parseReviewToken(token: string): { linkId: string; secret: string } | undefined {
  const [, linkId, secret] = TOKEN.exec(token) ?? []
  return linkId === undefined || secret === undefined ? undefined : { linkId: linkId.toLowerCase(), secret }
}
