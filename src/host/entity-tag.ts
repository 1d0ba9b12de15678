// Entity tags of representations, and the condition that asks for them (RFC 9110 §8.8.3 and §13.1.2).

/** The strong tag of a blob served as it is. */
export function entityTagOf(oid: string): string {
  return `"${oid}"`
}

/** True when `If-None-Match` names the tag, by weak comparison; a malformed field names nothing. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}
