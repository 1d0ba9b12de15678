// Parses If-Match and If-None-Match of requests (RFC 9110 §13.1).

import { parseEntityTags } from '../../http/entity-tag.js'
import { ServiceError } from '../../../model/errors.js'
import { isOid } from '../../../model/ids.js'
import { MAX_IF_MATCH_CHARACTERS } from '../../../model/limits.js'

const CODING = /-(?:br|gzip)$/

/**
 * Returns the strong entity tags of an If-Match field, without quotes, or `*`. Weak tags never match (strong comparison), so they are left
 * out: a list of weak tags alone matches nothing. The tag of a compressed answer stands for its content. One oid alone is accepted without
 * its quotes. Throws `invalid_header`.
 */
export function parseIfMatch(field: string): string[] | '*' {
  if (field.length > MAX_IF_MATCH_CHARACTERS) {
    throw new ServiceError('invalid_header', `If-Match is longer than ${MAX_IF_MATCH_CHARACTERS} characters.`)
  }
  if (isOid(field)) return [field]
  const tags = parseEntityTags(field)
  if (tags === undefined) {
    throw new ServiceError('invalid_header', 'If-Match must be * or entity tags in quotes, such as "9fceb02d…".')
  }
  return tags === '*'
    ? tags
    : tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1).replace(CODING, ''))
}

/** Parses If-None-Match of a write, which may only be `*`: publish only if nothing is there. Throws `invalid_header`. */
export function parseIfNoneMatch(field: string): '*' {
  if (field.trim() === '*') return '*'
  throw new ServiceError('invalid_header', 'If-None-Match can only be * here: publish only where nothing is.')
}
