// The bounds of a request's target on the host of a site. Longer ones are refused before rules and folders are looked at, whose time
// grows with them (RFC 9110 §15.5.15).

/** A page's path has at most 2,048 characters, of up to 12 characters each in a URL; the rest is for a query. */
const MAX_TARGET_CHARACTERS = 32 * 1024
/** Folders lie at most 512 deep. */
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
