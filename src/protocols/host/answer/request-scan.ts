// Reads the few fields that the hot path needs, without Node's object of all fields.

/** Lower-case names of fields, other than If-None-Match, that make a request conditional or partial. */
const OTHER_CONDITIONS = new Set(['range', 'if-match', 'if-unmodified-since', 'if-range'])
const LETTER_I = 0x69
const LETTER_R = 0x72
const TO_LOWER = 0x20

export interface ScannedFields {
  /** All values joined; undefined without the field. */
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  /** Whether another field makes the request conditional or partial. If-Modified-Since does not count together with If-None-Match. */
  hasOtherCondition: boolean
}

/** `rawHeaders` as Node gives them: names and values in turn. */
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

/** Whether the field, named in lower case, is present. */
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
