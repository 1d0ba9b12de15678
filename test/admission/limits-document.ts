// The table of limits in docs/configuration.md, made from the rows in src/admission.

import { limitRows } from '../../src/admission/limit-table.js'
import { DEFAULT_SIZES } from '../../src/admission/row.js'

const START = '<!-- made from src/admission by `npm run draw-limits` -->'
const END = '<!-- end of the table of limits -->'

/** The document with its table as the rows are now. Throws where the document has no marks. */
export function withLimits(document: string): string {
  const start = document.indexOf(START)
  const end = document.indexOf(END)
  if (start < 0 || end < start) throw new Error(`docs/configuration.md lacks "${START}" or "${END}"`)
  return `${document.slice(0, start + START.length)}\n\n${table()}\n\n${document.slice(end)}`
}

function table(): string {
  const rows = limitRows(DEFAULT_SIZES).map(({ name, setting, value = '', counts, heard }) => {
    const follows = setting === undefined ? '' : ` (\`${setting}\`)`
    return `| \`${name}\` | ${value}${follows} | ${counts} | ${heard} |`
  })
  return ['| name | limit | counts | past it the client hears |', '|---|---|---|---|', ...rows].join('\n')
}
