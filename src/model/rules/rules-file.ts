// What `_redirects` and `_headers` have in common: text in lines, bounds, and wrong lines that are named and passed over.

/** A line that says nothing we can do; the others go on. */
export interface WrongLine {
  /** The first is 1. */
  line: number
  /** What is wrong, and what to do. */
  message: string
}

/** Ends the reading of one line. */
export class LineRefused extends Error {}

/** Bytes of a rules file; a longer one is passed over whole, unread. */
export const MAX_RULES_FILE_BYTES = 512 * 1024

/** What is said of a file that is too long. */
export function refuseSize(size: number): WrongLine {
  const message = `The file has ${size} bytes, so no line of it is read: keep it to ${MAX_RULES_FILE_BYTES}.`
  return { line: 1, message }
}

/** Reads the lines that hold something, in turn: comments (`#`) and empty ones are none. Whatever is refused is named. */
export function readLines(bytes: Buffer, longestLine: number, read: (text: string, line: number) => void): WrongLine[] {
  const wrong: WrongLine[] = []
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/)
  for (const [at, text] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(text)) continue
    try {
      if (text.length > longestLine) throw new LineRefused(`The line has more than ${longestLine} characters.`)
      if (/[^\P{Cc}\t]|\ufffd/u.test(text)) throw new LineRefused('The line is not text in UTF-8: type it again.')
      read(text, at + 1)
    } catch (error) {
      if (!(error instanceof LineRefused)) throw error
      wrong.push({ line: at + 1, message: error.message })
    }
  }
  return wrong
}
