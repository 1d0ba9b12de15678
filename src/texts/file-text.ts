// Decodes the text of a file that is no page, for reading and editing. Only this file decides which bytes are text.

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../model/errors.js'
import type { TextEdit } from './edit-places.js'
import { editText } from './edit-text.js'

/** Returns the text, including a byte order mark at its beginning: an edit keeps every other byte. Throws `not_text`. */
export function textOfFile(bytes: Buffer): string {
  const reason = whyNotText(bytes)
  if (reason === undefined) return bytes.toString()
  throw new ServiceError(
    'not_text',
    `The file ${reason}: it cannot be read or edited as text. GET /files/content has its bytes, and PUT /files replaces them.`,
  )
}

export function isText(bytes: Buffer): boolean {
  return whyNotText(bytes) === undefined
}

/** Returns the file with the edits made. Throws `not_text`, `edit_not_applicable`. */
export function editFile(bytes: Buffer, edits: readonly TextEdit[]): Uint8Array {
  return Buffer.from(editText(textOfFile(bytes), edits))
}

/** Returns the end of a sentence that begins with the file. Text in UTF-16 without a byte order mark has NUL bytes, or is not UTF-8. */
function whyNotText(bytes: Buffer): string | undefined {
  const mark = bytes.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') return 'is text in UTF-16, not in UTF-8'
  if (!isUtf8(bytes)) return 'is not text in UTF-8'
  return bytes.includes(0) ? 'has NUL bytes, as no text has' : undefined
}
