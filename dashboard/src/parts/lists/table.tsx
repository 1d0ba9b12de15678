// A table of data with the actions of each row in its last column. On a narrow screen each row becomes a card.

import type { ComponentChildren } from 'preact'
import { SelectAll, SelectRow, type Selection } from './selection.js'

export interface Row {
  key: string
  /** One for each column. The cell of `headingAt` names the row. */
  cells: readonly ComponentChildren[]
  /** Quiet buttons, or a menu. */
  actions?: ComponentChildren
  /** Names the row beside its checkbox. */
  name?: string
}

interface TableProps {
  label: string
  columns: readonly string[]
  /** The column whose cells are the headings of their rows. */
  headingAt?: number
  rows: readonly Row[]
  /** Shows a checkbox in each row. */
  selection?: Selection
  /** The actions appear with the pointer or the focus; a touch screen shows them always. */
  hasQuietActions?: boolean
}

export function Table({ label, columns, headingAt, rows, selection, hasQuietActions = false }: TableProps) {
  const hasActions = rows.some(({ actions }) => actions !== undefined)
  return (
    // A wide table scrolls inside its own box, with the keyboard too. The roles keep their meaning when the cards set `display`.
    <div class="scroll table" tabIndex={0} role="region" aria-label={label}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th class="check" scope="col" role="columnheader">
                <SelectAll selection={selection} keys={rows.map(({ key }) => key)} />
              </th>
            )}
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
          {rows.map((row) => (
            <tr key={row.key} role="row" aria-selected={selection && selection.chosen.has(row.key)}>
              {selection && (
                <td class="check" role="cell">
                  <SelectRow selection={selection} of={row.key} name={row.name ?? row.key} />
                </td>
              )}
              <Cells row={row} columns={columns} headingAt={headingAt} />
              {hasActions && (
                <td class="actions" role="cell">
                  {hasQuietActions ? <span class="on-hover">{row.actions}</span> : row.actions}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellsProps {
  row: Row
  columns: readonly string[]
  headingAt: number | undefined
}

function Cells({ row: { cells }, columns, headingAt }: CellsProps) {
  return (
    <>
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
    </>
  )
}
