// If-Match and If-None-Match of requests (RFC 9110 §13.1).

import { ServiceError } from '../../model/errors.js'

/** One entity tag, and what may follow it in a list, where empty elements are allowed (RFC 9110 §5.6.1.2, §8.8.3). */
const TAG = /(W\/)?"([\u0021\u0023-\u007e\u0080-\u00ff]*)"[ \t]*(?:,[ \t,]*|$)/y

/**
 * The strong entity tags of an If-Match field, without quotes, or `*`. Weak ones never match (strong comparison), so they
 * are left out: a list of nothing else matches nothing. Throws `invalid_header`.
 */
export function parseIfMatch(field: string): string[] | '*' {
  if (field.trim() === '*') return '*'
  return splitTags(field, 'If-Match').flatMap(({ weak, value }) => (weak ? [] : [value]))
}

/** Writes take `*` alone: publish only where nothing is. Throws `invalid_header`. */
export function parseIfNoneMatch(field: string): '*' {
  if (field.trim() === '*') return '*'
  throw new ServiceError('invalid_header', 'Here If-None-Match can only be *: publish only where nothing is.')
}

/** Whether a read is answered by what the client has: weak comparison (RFC 9110 §13.1.2). A malformed field matches nothing. */
export function isNotModified(field: string | undefined, etag: string): boolean {
  if (field === undefined) return false
  if (field.trim() === '*') return true
  return tagsIn(field).some(({ value }) => `"${value}"` === etag)
}

/** A read with a malformed condition is answered as if it had none. */
function tagsIn(field: string): { value: string }[] {
  try {
    return splitTags(field, 'If-None-Match')
  } catch {
    return []
  }
}

function splitTags(field: string, name: string): { weak: boolean; value: string }[] {
  const text = field.replace(/^[ \t,]+/, '').trimEnd()
  const tags: { weak: boolean; value: string }[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex < text.length) {
    const [, weak, value] = TAG.exec(text) ?? []
    if (value === undefined) {
      throw new ServiceError('invalid_header', `${name} must be * or entity tags in quotes, such as "9fceb02d…".`)
    }
    tags.push({ weak: weak !== undefined, value })
  }
  return tags
}
