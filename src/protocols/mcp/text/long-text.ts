// Shows a long text that others wrote, such as a page or a diff, below a head of our own words. It is cut where it does not fit.

import { fittingEnd, type Range } from '../../../model/text-parts.js'
import { RAISE_THE_BOUND } from './bound.js'
import { fenced } from './untrusted-text.js'

export interface LongText {
  name: 'page-content' | 'file-content' | 'diff'
  text: string
  /** Position of the text in the whole; without it, no part can be asked for. */
  part?: { lines: Range; characters: Range }
}

/** Bytes of the position with its numbers, and of the marks. */
const MAX_FRAME_BYTES = 260
const MIN_TEXT_BYTES = 64

export function withLongText(head: string, long: LongText, bytes: number): string {
  const room = Math.max(MIN_TEXT_BYTES, bytes - Buffer.byteLength(head) - MAX_FRAME_BYTES)
  const text = long.text.slice(0, fittingEnd(long.text, room))
  const position = text === long.text && isWhole(long) ? [] : [positionOf(long, text)]
  const lines = [head, ...position].filter((line) => line !== '').join('\n')
  return `${lines === '' ? '' : `${lines}\n\n`}${fenced(long.name, text)}`
}

function isWhole({ part }: LongText): boolean {
  return part === undefined || part.characters.to - part.characters.from + 1 === part.characters.total
}

function positionOf({ name, text: whole, part }: LongText, text: string): string {
  if (part === undefined)
    return `The first ${text.length} of ${whole.length} characters of the ${name}. ${RAISE_THE_BOUND}`
  const { lines, characters } = part
  const to = characters.from + text.length - 1
  const feeds = text.split('\n').length - 1
  const last = lines.from + feeds - (text.endsWith('\n') ? 1 : 0)
  const goOn = to < characters.total ? ` Go on with chars=${to + 1}-` : ''
  return `Lines ${lines.from}-${last} of ${lines.total}, characters ${characters.from}-${to} of ${characters.total}.${goOn}`
}
