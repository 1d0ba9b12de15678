// A table that scrolls on its own where it is wider than the screen, with the keyboard too. Its last column holds actions.

import type { ComponentChildren } from 'preact'

interface DataTableProps {
  label: string
  columns: readonly string[]
  /** The rows. */
  children: ComponentChildren
}

export function DataTable({ label, columns, children }: DataTableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
