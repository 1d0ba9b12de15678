// Refuses names of files and folders that git or a file system could misread.

import { isUtf8 } from 'node:buffer'
import { refusal } from './push-refused.js'

const MAX_NAME_BYTES = 255
const BACKSLASH = 0x5c
const DELETE = 0x7f
const FIRST_PRINTABLE = 0x20

/** Throws PushRefused. */
export function checkName(name: Buffer): void {
  const reason = whyRefused(name)
  if (reason !== undefined) throw refusal(reason)
}

function whyRefused(name: Buffer): string | undefined {
  if (name.some((byte) => byte < FIRST_PRINTABLE || byte === DELETE || byte === BACKSLASH))
    return 'a file name holds a backslash or a control character. Rename it.'
  if (name.length > MAX_NAME_BYTES) return 'a file name is longer than 255 bytes. Shorten it.'
  if (!isUtf8(name) || /\p{Cc}/u.test(name.toString()))
    return 'a file name is not UTF-8, or holds a control character. Rename it.'
  return undefined
}
