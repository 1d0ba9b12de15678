// If-Match and If-None-Match of requests (RFC 9110 §13.1).

import { ServiceError } from '../model/errors.js'

const TAG = /^(W\/)?"([\u0021\u0023-\u007e\u0080-\u00ff]*)"$/

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
  return field.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function splitTags(field: string, name: string): { weak: boolean; value: string }[] {
  return field.split(',').map((text) => {
    const [, weak, value] = TAG.exec(text.trim()) ?? []
    if (value !== undefined) return { weak: weak !== undefined, value }
    throw new ServiceError('invalid_header', `${name} must be * or entity tags in quotes, such as "9fceb02d…".`)
  })
}
