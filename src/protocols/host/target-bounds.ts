// Limits the length of a request's target on a site's host. Longer targets are refused before rules and folders are read, since that
// time grows with the length (RFC 9110 §15.5.15).

/** A page's path has at most 2,048 characters, each of up to 12 characters in a URL; the rest is for a query. */
const MAX_TARGET_CHARACTERS = 32 * 1024
/** Folders are at most 512 deep. */
const MAX_SLASHES = 2048

/** `target` in origin form. */
export function isTooLong(target: string): boolean {
  return target.length > MAX_TARGET_CHARACTERS || hasTooManySlashes(target)
}

function hasTooManySlashes(target: string): boolean {
  if (target.length <= MAX_SLASHES) return false
  let slashes = 0
  for (let at = target.indexOf('/'); at >= 0 && slashes <= MAX_SLASHES; at = target.indexOf('/', at + 1)) slashes++
  return slashes > MAX_SLASHES
}
