// Prints rows for people and for scripts: aligned columns on a terminal, tab-separated values elsewhere. Cells may hold text of a client:
// on a terminal their control characters are replaced, and everywhere each stays in its column.

import { cell } from './printable.js'

export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = rows.map((row) => row.map((text) => cell(text)))
  if (!process.stdout.isTTY) {
    for (const row of cells) console.log(row.join('\t'))
    return
  }
  const all = [columns, ...cells]
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
  for (const row of all)
    console.log(
      row
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
