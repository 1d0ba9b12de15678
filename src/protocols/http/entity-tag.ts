// Makes entity tags of representations, and reads the lists of them in conditional requests (RFC 9110 §8.8.3 and §13.1).

import type { Coding } from './accept-encoding.js'

/** One entity tag and the separators after it; a list may have empty elements (RFC 9110 §5.6.1.2). */
const TAG = /((?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*")[ \t]*(?:,[ \t,]*|$)/y

/** Returns the strong tag of a blob in a coding: each representation has its own. */
export function entityTagOf(oid: string, coding: Coding): string {
  return tagInCoding(`"${oid}"`, coding)
}

/** Returns the tag of the same content in a coding. */
export function tagInCoding(tag: string, coding: Coding): string {
  return coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding}"`
}

/** Parses a list of entity tags without changing them. Returns `*` for `*`, and undefined for a malformed list. */
export function parseEntityTags(list: string): string[] | '*' | undefined {
  if (list.trim() === '*') return '*'
  const text = list.replace(/^[ \t,]+/, '').trimEnd()
  const tags: string[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex < text.length) {
    const [, tag] = TAG.exec(text) ?? []
    if (tag === undefined) return undefined
    tags.push(tag)
  }
  return tags
}

/** Whether a list matches the tag by weak comparison, for If-None-Match. `*` matches, a malformed list does not. */
export function namesTag(list: string, tag: string): boolean {
  if (list === tag) return true
  const tags = parseEntityTags(list)
  return tags === '*' || tags?.some((item) => item.replace(/^W\//, '') === tag) === true
}

/** Whether a list matches the tag by strong comparison, for If-Match. A weak tag matches nothing. */
export function namesTagStrongly(list: string, tag: string): boolean {
  if (list === tag) return true
  const tags = parseEntityTags(list)
  return tags === '*' || tags?.includes(tag) === true
}
