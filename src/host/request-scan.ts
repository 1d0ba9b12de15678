// What the hot path needs to know of a request's fields, without the object that node makes of all of them.

/** The names, in lower case, that make a request conditional or partial. */
const CONDITIONAL = new Set([
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
])
const LETTER_I = 0x69
const LETTER_R = 0x72
const TO_LOWER = 0x20

export interface ScannedFields {
  /** All values joined; undefined where there is none. */
  acceptEncoding: string | undefined
  /** Whether any field makes it conditional or partial. */
  isConditional: boolean
}

/** `rawHeaders` as node has them: names and values in turn. */
export function scanFields(rawHeaders: readonly string[]): ScannedFields {
  const found: ScannedFields = { acceptEncoding: undefined, isConditional: false }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const initial = name.charCodeAt(0) | TO_LOWER
    if (initial === LETTER_I || initial === LETTER_R) found.isConditional ||= CONDITIONAL.has(name.toLowerCase())
    else if (name.length === 15 && name.toLowerCase() === 'accept-encoding') {
      const value = rawHeaders[at + 1] ?? ''
      found.acceptEncoding = found.acceptEncoding === undefined ? value : `${found.acceptEncoding}, ${value}`
    }
  }
  return found
}
