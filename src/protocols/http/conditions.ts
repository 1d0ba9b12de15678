// Evaluates the conditions of a request (RFC 9110 §13).

import type { IncomingHttpHeaders } from 'node:http'
import { namesTag, namesTagStrongly } from './entity-tag.js'
import { parseAnyHttpDate } from './http-date.js'

/** The validators of the representation that would be sent. */
export interface Validators {
  tag: string
  /** In seconds; undefined if unknown. */
  lastModified: number | undefined
}

/** Evaluates in the order of RFC 9110 §13.2.2. `failed` is 412, `unmodified` 304. A malformed field counts as absent. `now` in seconds. */
export function evaluate(
  headers: IncomingHttpHeaders,
  { tag, lastModified }: Validators,
  now: number,
): 'send' | 'unmodified' | 'failed' {
  const ifMatch = headers['if-match']
  if (ifMatch === undefined) {
    const since = dateIn(headers['if-unmodified-since'], now)
    if (since !== undefined && lastModified !== undefined && lastModified > since) return 'failed'
  } else if (!namesTagStrongly(ifMatch, tag)) return 'failed'
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return namesTag(ifNoneMatch, tag) ? 'unmodified' : 'send'
  const since = dateIn(headers['if-modified-since'], now)
  return since !== undefined && lastModified !== undefined && lastModified <= since ? 'unmodified' : 'send'
}

/** Whether a range may be sent: If-Range matches by strong comparison (RFC 9110 §13.1.5). `now` in whole seconds. */
export function allowsRange(ifRange: string | undefined, { tag, lastModified }: Validators, now: number): boolean {
  if (ifRange === undefined || ifRange === tag) return true
  // A date is a strong validator only once its second is over: the file could change again within it (RFC 9110 §8.8.2.2).
  return lastModified !== undefined && lastModified < now && dateIn(ifRange, now) === lastModified
}

function dateIn(field: string | undefined, now: number): number | undefined {
  return field === undefined ? undefined : parseAnyHttpDate(field, now)
}
