// Makes text safe for a terminal. Pages, labels, names and messages come from anyone. Their escape sequences must not move the cursor,
// change the title or write to the clipboard.

import { messageInColour } from './colour.js'

/** C0 and C1 controls except line feed and tab, line separators, and characters that reorder text (Unicode UAX #9). */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/gu

/** Replaces control characters by U+FFFD if `stream` is a terminal; else returns the text unchanged. */
export function printable(text: string, stream: { isTTY?: boolean } = process.stdout): string {
  return stream.isTTY === true ? text.replaceAll(CONTROLS, '\uFFFD') : text
}

/** Returns the text on one line and in one column. */
export function cell(text: string, stream: { isTTY?: boolean } = process.stdout): string {
  return printable(text, stream).replaceAll(/\s+/gu, ' ')
}

/** Writes a line to standard error. On a terminal the first word of an error or a warning has its colour. */
export function printError(text: string): void {
  console.error(messageInColour(printable(text, process.stderr)))
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}
