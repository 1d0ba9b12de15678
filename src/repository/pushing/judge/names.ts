// Refuses names of files and folders that git or a file system could misread.

import { isUtf8 } from 'node:buffer'
import { refusal } from './push-refused.js'
import type { NewEntry } from './tree-entries.js'

const MAX_NAME_BYTES = 255
const MAX_SHOWN_BYTES = 80
const BACKSLASH = 0x5c
const DELETE = 0x7f
const FIRST_PRINTABLE = 0x20

/** Throws PushRefused. */
export function checkName({ folder, name }: NewEntry): void {
  const reason = whyRefused(name)
  if (reason === undefined) return
  const [what, toDo] = reason
  throw refusal(`a file name ${what}: "${folder}${quoted(name)}". ${toDo} it.`)
}

function whyRefused(name: Buffer): [what: string, toDo: string] | undefined {
  if (name.some((byte) => byte < FIRST_PRINTABLE || byte === DELETE || byte === BACKSLASH))
    return ['holds a backslash or a control character', 'Rename']
  if (name.length > MAX_NAME_BYTES) return ['is longer than 255 bytes', 'Shorten']
  if (!isUtf8(name) || /\p{Cc}/u.test(name.toString())) return ['is not UTF-8, or holds a control character', 'Rename']
  return undefined
}

/** Escapes bytes as `git ls-files` does, so that the name can be found. A long one is cut. */
function quoted(name: Buffer): string {
  const shown = Array.from(name.subarray(0, MAX_SHOWN_BYTES), (byte) => {
    const isPlain = byte >= FIRST_PRINTABLE && byte < DELETE && byte !== BACKSLASH
    if (isPlain) return String.fromCharCode(byte)
    return byte === BACKSLASH ? '\\\\' : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return name.length > MAX_SHOWN_BYTES ? `${shown.join('')}…` : shown.join('')
}
