// Reads the lines of `_redirects` and `_headers`: text of limited length, in which wrong lines are reported and skipped.

/** A line that cannot be applied. The other lines of the file still apply. */
export interface WrongLine {
  /** Number of the line, from 1. */
  line: number
  /** The fault, and what to do. */
  message: string
}

/** The rules of a file, and what is to be said about its lines. */
export interface ReadRules<Rule> {
  rules: Rule[]
  wrong: WrongLine[]
  /** Lines that apply, but not as their author may think. */
  warnings: WrongLine[]
}

/** Thrown for a wrong line; the message says what to do. */
export class LineRefused extends Error {}

/** Most bytes of a rules file; a longer one is skipped, unread. */
export const MAX_RULES_FILE_BYTES = 512 * 1024

/** After this many wrong lines the rest of a file is not read: refusing a line costs more than reading one. */
const MAX_WRONG_LINES = 1000

/** Further lines that apply with a warning are not named. */
export const MAX_WARNINGS = 1000

/** Returns the report on a file that is too long. */
export function refuseSize(size: number): WrongLine {
  const message = `The file has ${size} bytes, so no line of it is read: keep it to ${MAX_RULES_FILE_BYTES}.`
  return { line: 1, message }
}

/** Reads all lines except comments (`#`) and empty ones, in order. Returns the lines refused by `read` (LineRefused) or for their form. */
export function readLines(bytes: Buffer, longestLine: number, read: (text: string, line: number) => void): WrongLine[] {
  if (isUtf16(bytes)) return [{ line: 1, message: 'The file is text in UTF-16, so no line is read: save it as UTF-8.' }]
  const wrong: WrongLine[] = []
  let line = 0
  for (const text of linesOf(bytes.toString('utf8').replace(/^\ufeff/, ''))) {
    line += 1
    if (/^\s*(?:#|$)/.test(text)) continue
    if (wrong.length === MAX_WRONG_LINES) {
      wrong.push({ line, message: `From here on no line is read: ${MAX_WRONG_LINES} lines before are wrong.` })
      return wrong
    }
    try {
      if (text.length > longestLine) throw new LineRefused(`The line has more than ${longestLine} characters.`)
      if (/[^\P{Cc}\t]|\ufffd/u.test(text))
        throw new LineRefused('The line has invalid UTF-8 or control characters: remove them.')
      read(text, line)
    } catch (error) {
      if (!(error instanceof LineRefused)) throw error
      wrong.push({ line, message: error.message })
    }
  }
  return wrong
}

/** Whether the file begins with the byte order mark of UTF-16, which Windows PowerShell 5.1 writes. */
function isUtf16(bytes: Buffer): boolean {
  return ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))
}

function* linesOf(text: string): Generator<string> {
  const ends = /\r\n|[\r\n]/g
  let start = 0
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(start, end.index)
    start = ends.lastIndex
  }
  yield text.slice(start)
}
