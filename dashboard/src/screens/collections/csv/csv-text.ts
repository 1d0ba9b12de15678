// Tables as text with commas (RFC 4180): read and written. Spreadsheets of some countries write semicolons or tabs between the cells.

export interface CsvRow {
  /** The line of the text on which it begins, from 1. */
  line: number
  cells: readonly string[]
}

/** Thrown for a text that is no table. */
export class CsvFault extends Error {}

/** Returns the rows that are not empty. Throws `CsvFault` for a quote that is never closed. */
export function readCsv(text: string): CsvRow[] {
  const plain = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(plain)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let line = 1
  let begins = 1
  let at = 0
  const endRow = () => {
    if (cells.some((cell) => cell !== '')) rows.push({ line: begins, cells })
    cells = []
  }
  while (at < plain.length) {
    const cell = plain[at] === '"' ? quotedCell(plain, at, { separator, line }) : plainCell(plain, at, separator)
    cells.push(cell.text)
    line += cell.text.split('\n').length - 1
    at = cell.end
    if (plain[at] === separator) {
      at++
      // A separator at the very end stands before one more cell, which is empty.
      if (at === plain.length) cells.push('')
      continue
    }
    endRow()
    if (plain[at] === '\r' && plain[at + 1] === '\n') at++
    at++
    begins = ++line
  }
  endRow()
  return rows
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('')
}

function writeCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

interface Cell {
  text: string
  end: number
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { text: text.slice(start, end), end }
}

function quotedCell(text: string, start: number, { separator, line }: { separator: string; line: number }): Cell {
  let end = start + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end === -1) throw new CsvFault(`The quote that begins on line ${line} is never closed.`)
    if (text[end + 1] !== '"') break
    end += 2
  }
  const quoted = text
    .slice(start + 1, end)
    .replaceAll('""', '"')
    .replaceAll('\r\n', '\n')
  // Programs that write text after the closing quote mean one cell.
  const rest = plainCell(text, end + 1, separator)
  return { text: quoted + rest.text, end: rest.end }
}

/** Returns what most often stands between the cells of the first line. */
function separatorOf(text: string): string {
  const [first = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  const counted = [',', ';', '\t'].map((each) => [each, first.split(each).length] as const)
  return counted.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ','
}
