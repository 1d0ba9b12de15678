// Records as a table: columns that sort, rows to choose, open and act on. The document holds only the rows near the window.

import { useRef } from 'preact/hooks'
import type { Site, StoredRecord } from '../../../api/client.js'
import { isNarrow } from '../../../browser/narrow.js'
import { SelectAll, type Selection } from '../../../parts/lists/selection.js'
import { useMay } from '../../../parts/rights/allowed.js'
import type { Field } from '../fields/field.js'
import { firstFields } from '../fields/record-title.js'
import { ColumnHeading } from './column-heading.js'
import { useWindow } from '../../../parts/lists/use-window.js'
import { RecordRow, type RowActions } from './record-row.js'

const MAX_COLUMNS = 5
/** Pixels of a row, as records.css sets them. */
const ROW_HEIGHT_PX = 44
/** Shorter tables are held whole. */
const MIN_ROWS = 60

interface RecordTableProps extends RowActions {
  site: Site
  label: string
  fields: readonly Field[]
  records: readonly StoredRecord[]
  /** The name of a field, with `-` before it for the descending order; '' for none. */
  sort: string
  onSort: (sort: string) => void
  selection: Selection
}

export function RecordTable(props: RecordTableProps) {
  const { label, fields, records, sort, onSort, selection } = props
  const mayWrite = useMay()('write')
  const columns = firstFields(fields, MAX_COLUMNS)
  const body = useRef<HTMLTableSectionElement>(null)
  // On a narrow screen rows are cards, and as high as their fields.
  const isHeldWhole = records.length <= MIN_ROWS || isNarrow()
  const { first, count } = useWindow(body, records.length, { height: ROW_HEIGHT_PX, isHeldWhole })
  const shown = records.slice(first, first + count)
  const below = records.length - first - shown.length
  return (
    <div class="scroll table" tabIndex={0} role="region" aria-label={label}>
      <table role="table" class="records" aria-rowcount={records.length + 1}>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {mayWrite && (
              <th class="check" scope="col" role="columnheader">
                <SelectAll selection={selection} keys={records.map(({ id }) => id)} />
              </th>
            )}
            {columns.map((field) => (
              <ColumnHeading key={field.name} field={field} sort={sort} onSort={onSort} />
            ))}
            <th scope="col" role="columnheader">
              Changed
            </th>
            {mayWrite && (
              <th scope="col" role="columnheader">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          <Gap rows={first} />
          {shown.map((record, at) => (
            <RecordRow
              key={record.id}
              {...props}
              record={record}
              columns={columns}
              at={first + at}
              mayWrite={mayWrite}
            />
          ))}
          <Gap rows={below} />
        </tbody>
      </table>
    </div>
  )
}

/** Stands for rows that the document does not hold. */
function Gap({ rows }: { rows: number }) {
  if (rows === 0) return null
  return <tr role="presentation" aria-hidden class="gap" style={{ height: `${rows * ROW_HEIGHT_PX}px` }} />
}
