// Colours words on a terminal: headings, the states of things, warnings and errors. NO_COLOR and a terminal without colours leave them
// plain, and so does an output that is no terminal.

import { styleText } from 'node:util'
import type { WriteStream } from 'node:tty'

type Colour = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** The colours of states: green is there, yellow waits or changed, red is gone or failed. */
const OF_STATE: Readonly<Record<string, Colour>> = {
  ...colouring('green', 'added', 'created', 'ok', 'published', 'written'),
  ...colouring('yellow', 'behind', 'draft', 'held', 'modified', 'replaced', 'review'),
  ...colouring('red', 'deleted', 'failed', 'failing', 'removed', 'unpublished'),
}

/** The words at the start of a message that say how bad it is. */
const SEVERITY = /^(?:(palimpsest|error)|(warning|left out)):/

export function inColour(colour: Colour, text: string, stream: Pick<WriteStream, 'isTTY' | 'hasColors'>): string {
  const isColoured = stream.isTTY && stream.hasColors()
  return isColoured ? styleText(colour, text, { validateStream: false }) : text
}

/** Colours the name of a state. Other text stays plain. */
export function stateInColour(text: string): string {
  const word = text.trimEnd()
  const colour = Object.hasOwn(OF_STATE, word) ? OF_STATE[word] : undefined
  return colour === undefined ? text : inColour(colour, word, process.stdout) + text.slice(word.length)
}

/** Colours the beginning of an error in red, that of a warning in yellow. */
export function messageInColour(text: string): string {
  return text.replace(SEVERITY, (start, error?: string) =>
    inColour(error === undefined ? 'yellow' : 'red', start, process.stderr),
  )
}

function colouring(colour: Colour, ...words: string[]): Record<string, Colour> {
  return Object.fromEntries(words.map((word) => [word, colour]))
}
