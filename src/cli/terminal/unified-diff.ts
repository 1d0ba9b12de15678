// Prints a unified diff: coloured on a terminal, byte for byte elsewhere.

import { styleText } from 'node:util'
import { printable } from './printable.js'

export function printUnified(unified: string): void {
  process.stdout.write(process.stdout.isTTY ? inColour(printable(unified)) : unified)
}

/** Colours the diff as git does, unless NO_COLOR is set or the terminal has no colours. */
function inColour(unified: string): string {
  if (!process.stdout.hasColors()) return unified
  return unified.split('\n').map(colourLine).join('\n')
}

function colourLine(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return styleText('bold', line)
  if (line.startsWith('@@')) return styleText('cyan', line)
  if (line.startsWith('+')) return styleText('green', line)
  return line.startsWith('-') ? styleText('red', line) : line
}
