// Entity tags of representations, and the lists of them that conditions hold (RFC 9110 §8.8.3 and §13.1).

import type { Coding } from './accept-encoding.js'

/** One entity tag, and what may follow it in a list, where empty elements are allowed (RFC 9110 §5.6.1.2). */
const TAG = /(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"[ \t]*(?:,[ \t,]*|$)/y

/** The strong tag of a blob in a coding: each representation has its own. */
export function entityTagOf(oid: string, coding: Coding): string {
  return coding === 'identity' ? `"${oid}"` : `"${oid}-${coding}"`
}

/** Whether a list has the tag, by weak comparison: for If-None-Match. A malformed list names nothing, `*` everything. */
export function namesTag(list: string, tag: string): boolean {
  return list === tag || list.trim() === '*' || tagsIn(list).some((item) => item.replace(/^W\//, '') === tag)
}

/** The same by strong comparison, for If-Match: a weak tag matches nothing. */
export function namesTagStrongly(list: string, tag: string): boolean {
  return list === tag || list.trim() === '*' || tagsIn(list).includes(tag)
}

function tagsIn(list: string): string[] {
  const text = list.replace(/^[ \t,]+/, '').trimEnd()
  const tags: string[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex < text.length) {
    const [item] = TAG.exec(text) ?? []
    if (item === undefined) return []
    tags.push(item.slice(0, item.lastIndexOf('"') + 1))
  }
  return tags
}
