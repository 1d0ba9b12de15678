// Text of pages on a terminal: a page is anybody's, and must not move the cursor or write to the clipboard.

/** C0 and C1 controls, but the line feed and the tab; and what turns the direction of text round. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** Controls as the replacement character where a terminal shows the text; elsewhere the text itself. */
export function printable(text: string): string {
  return process.stdout.isTTY ? text.replaceAll(CONTROLS, '\uFFFD') : text
}

/** On one line and in one column. */
export function cell(text: string): string {
  return printable(text).replaceAll(/\s+/gu, ' ')
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}
