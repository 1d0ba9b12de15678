// A table of data with the actions of each row in its last column. On a narrow screen each row becomes a card.

import type { ComponentChildren } from 'preact'

export interface Row {
  key: string
  /** One for each column. The cell of `headingAt` names the row. */
  cells: readonly ComponentChildren[]
  actions?: ComponentChildren
}

interface DataTableProps {
  label: string
  columns: readonly string[]
  /** The column whose cells are the headings of their rows. */
  headingAt?: number
  rows: readonly Row[]
}

export function DataTable({ label, columns, headingAt, rows }: DataTableProps) {
  const hasActions = rows.some(({ actions }) => actions !== undefined)
  return (
    // A wide table scrolls inside its own box, with the keyboard too. The roles keep their meaning when the cards set `display`.
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((name) => (
              <th key={name} scope="col" role="columnheader">
                {name}
              </th>
            ))}
            {hasActions && (
              <th scope="col" role="columnheader">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells, actions }) => (
            <tr key={key} role="row">
              {cells.map((cell, at) =>
                at === headingAt ? (
                  <th key={at} scope="row" role="rowheader" data-label={columns[at]}>
                    {cell}
                  </th>
                ) : (
                  <td key={at} role="cell" data-label={columns[at]}>
                    {cell}
                  </td>
                ),
              )}
              {hasActions && (
                <td class="actions" role="cell">
                  {actions}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
