// Rows for people and for scripts: columns on a terminal, tab-separated values elsewhere.

export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  if (!process.stdout.isTTY) {
    for (const row of rows) console.log(row.join('\t'))
    return
  }
  const all = [columns, ...rows]
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
  for (const row of all)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
