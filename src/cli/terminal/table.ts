// Prints rows for people and for scripts: aligned columns on a terminal, tab-separated values elsewhere. Cells may hold text of a client:
// on a terminal their control characters are replaced, and everywhere each stays in its column.

import { inColour, stateInColour } from './colour.js'
import { cell } from './printable.js'

/** Headings of columns that hold the state of their row. */
const OF_STATES = new Set(['', 'state', 'action'])

export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = rows.map((row) => row.map((text) => cell(text)))
  if (!process.stdout.isTTY) return printTabs(cells)
  const widths = widthsOf([columns, ...cells])
  console.log(inColour('bold', lineOf(columns, widths), process.stdout))
  for (const row of cells)
    console.log(lineOf(row, widths, (text, i) => (OF_STATES.has(columns[i] ?? '') ? stateInColour(text) : text)))
}

/** Prints names and their values, which need no headings. */
export function printFacts(facts: readonly (readonly [name: string, value: string])[]): void {
  const cells = facts.map((fact) => fact.map((text) => cell(text)))
  if (!process.stdout.isTTY) return printTabs(cells)
  const widths = widthsOf(cells)
  for (const fact of cells)
    console.log(
      lineOf(fact, widths, (text, i) => (i === 0 ? inColour('dim', text, process.stdout) : stateInColour(text))),
    )
}

function printTabs(rows: readonly (readonly string[])[]): void {
  for (const row of rows) console.log(row.join('\t'))
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
}

/** Returns the cells in their columns. `colour` gets each with its padding, which is not at the end of the line. */
function lineOf(
  row: readonly string[],
  widths: readonly number[],
  colour: (text: string, column: number) => string = (text) => text,
): string {
  const last = row.findLastIndex((text) => text !== '')
  return row
    .slice(0, last + 1)
    .map((text, i) => colour(i === last ? text : text.padEnd(widths[i] ?? 0), i))
    .join('  ')
}
