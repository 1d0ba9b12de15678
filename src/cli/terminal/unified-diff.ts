// Prints a unified diff: coloured on a terminal, byte for byte elsewhere.

import { inColour } from './colour.js'
import { printable } from './printable.js'

export function printUnified(unified: string): void {
  process.stdout.write(process.stdout.isTTY ? coloured(printable(unified)) : unified)
}

/** Colours the diff as git does. */
function coloured(unified: string): string {
  return unified.split('\n').map(colourLine).join('\n')
}

function colourLine(line: string): string {
  const colour = colourOf(line)
  return colour === undefined ? line : inColour(colour, line, process.stdout)
}

function colourOf(line: string) {
  if (line.startsWith('+++') || line.startsWith('---')) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : undefined
}
