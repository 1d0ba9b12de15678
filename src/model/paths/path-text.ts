// Reads the text of a path, from a client, a request or a tree. It is percent-decoded exactly once. If it could be read in two ways,
// it is refused with `invalid_path` and what to do instead. Also encodes paths for URLs.

import { ServiceError } from '../errors.js'

/** Decodes text. The result has no control character and no backslash, and `/` only where `text` has it unencoded. */
export function decodePath(text: string): string {
  if (/\p{Surrogate}/u.test(text)) refusePath('The path has half of a surrogate pair: send whole characters.')
  if (/%2f/i.test(text))
    refusePath('The path has an encoded "/" (%2F): write "/" between names, and leave it out of them.')
  const decoded = decodePercent(text)
  if (decoded.includes('\\')) refusePath('The path has a backslash, encoded or not: write "/" between names.')
  if (/\p{Cc}/u.test(decoded)) refusePath('The path has a control character, encoded or not: leave it out.')
  return decoded
}

/** Encodes text for the path of a URL: characters that would begin a query or a fragment are encoded, a slash is not. */
export function encodePath(text: string): string {
  return encodeURI(text).replaceAll('?', '%3F').replaceAll('#', '%23')
}

/** Refuses a segment that is empty or means a folder. */
export function checkSegment(segment: string): void {
  if (segment === '') refusePath('The path has an empty segment: write one "/" where it has several in a row.')
  if (segment === '.' || segment === '..') refusePath(`The path has the segment "${segment}": write it without.`)
}

export function refusePath(reason: string): never {
  throw new ServiceError('invalid_path', reason)
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refusePath('The path has a "%" that begins no escape of UTF-8: write "%25" for a percent sign itself.')
  }
}
