// Reads the lines of `_redirects` and `_headers`: text of bounded length, in which wrong lines are reported and skipped.

/** A line that cannot be applied. The other lines of the file still apply. */
export interface WrongLine {
  /** The first is 1. */
  line: number
  /** What is wrong, and what to do. */
  message: string
}

/** Thrown for a line that is wrong; the message says what to do. */
export class LineRefused extends Error {}

/** Bytes of a rules file; a longer one is skipped, unread. */
export const MAX_RULES_FILE_BYTES = 512 * 1024

/** After so many wrong lines the rest of a file is not read: to refuse a line costs more than to read one. */
const MAX_WRONG_LINES = 1000

/** The report on a file that is too long. */
export function refuseSize(size: number): WrongLine {
  const message = `The file has ${size} bytes, so no line of it is read: keep it to ${MAX_RULES_FILE_BYTES}.`
  return { line: 1, message }
}

/** Reads every line that is not a comment (`#`) or empty, in order. Returns the lines that are refused, by `read` (LineRefused) or for their form. */
export function readLines(bytes: Buffer, longestLine: number, read: (text: string, line: number) => void): WrongLine[] {
  const wrong: WrongLine[] = []
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/)
  for (const [at, text] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(text)) continue
    if (wrong.length === MAX_WRONG_LINES) {
      wrong.push({ line: at + 1, message: `From here on no line is read: ${MAX_WRONG_LINES} lines before are wrong.` })
      break
    }
    try {
      if (text.length > longestLine) throw new LineRefused(`The line has more than ${longestLine} characters.`)
      if (/[^\P{Cc}\t]|\ufffd/u.test(text))
        throw new LineRefused('The line has invalid UTF-8 or control characters: remove them.')
      read(text, at + 1)
    } catch (error) {
      if (!(error instanceof LineRefused)) throw error
      wrong.push({ line: at + 1, message: error.message })
    }
  }
  return wrong
}
