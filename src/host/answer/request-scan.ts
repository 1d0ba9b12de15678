// What the hot path needs to know of a request's fields, without the object that node makes of all of them.

/** The names, in lower case, beside If-None-Match that make a request conditional or partial. */
const OTHER_CONDITIONS = new Set(['range', 'if-match', 'if-unmodified-since', 'if-range'])
const LETTER_I = 0x69
const LETTER_R = 0x72
const TO_LOWER = 0x20

export interface ScannedFields {
  /** All values joined; undefined where there is none. */
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  /** Whether another field makes it conditional or partial; where there is If-None-Match, If-Modified-Since does not. */
  hasOtherCondition: boolean
}

/** `rawHeaders` as node has them: names and values in turn. */
export function scanFields(rawHeaders: readonly string[]): ScannedFields {
  const found: ScannedFields = { acceptEncoding: undefined, ifNoneMatch: undefined, hasOtherCondition: false }
  let hasDate = false
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const initial = name.charCodeAt(0) | TO_LOWER
    if (initial === LETTER_I || initial === LETTER_R) {
      const lowered = name.toLowerCase()
      if (lowered === 'if-none-match') found.ifNoneMatch = join(found.ifNoneMatch, rawHeaders[at + 1])
      else if (lowered === 'if-modified-since') hasDate = true
      else found.hasOtherCondition ||= OTHER_CONDITIONS.has(lowered)
    } else if (name.length === 15 && name.toLowerCase() === 'accept-encoding') {
      found.acceptEncoding = join(found.acceptEncoding, rawHeaders[at + 1])
    }
  }
  found.hasOtherCondition ||= hasDate && found.ifNoneMatch === undefined
  return found
}

/** Whether there is a field of that name, given in lower case. */
export function hasField(rawHeaders: readonly string[], name: string): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] ?? ''
    if (found.length === name.length && found.toLowerCase() === name) return true
  }
  return false
}

function join(known: string | undefined, value = ''): string {
  return known === undefined ? value : `${known}, ${value}`
}
