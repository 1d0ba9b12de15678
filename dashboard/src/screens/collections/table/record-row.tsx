// One record as a row of the table.

import type { Site, StoredRecord } from '../../../api/client.js'
import { IconButton } from '../../../parts/controls/icon-button.js'
import { SelectRow, type Selection } from '../../../parts/lists/selection.js'
import { Menu } from '../../../parts/overlays/menu.js'
import { Age } from '../../../parts/states/age.js'
import type { Field } from '../fields/field.js'
import { titleField, titleOf } from '../fields/record-title.js'
import { SitePicture } from '../form/site-picture.js'
import { cellText } from './cell-text.js'

export interface RowActions {
  onOpen: (record: StoredRecord) => void
  onDuplicate: (record: StoredRecord) => void
  onDelete: (record: StoredRecord) => void
}

interface RecordRowProps extends RowActions {
  site: Site
  fields: readonly Field[]
  columns: readonly Field[]
  record: StoredRecord
  selection: Selection
  at: number
  mayWrite: boolean
}

/** `at` counts from 0. */
export function RecordRow({ record, columns, fields, selection, at, mayWrite, site, ...on }: RecordRowProps) {
  const name = titleOf(record.data, fields)
  const heading = titleField(fields) ?? columns[0]
  return (
    <tr role="row" aria-rowindex={at + 2} aria-selected={selection.chosen.has(record.id)}>
      {mayWrite && (
        <td class="check" role="cell">
          <SelectRow selection={selection} of={record.id} name={name} />
        </td>
      )}
      {columns.map((field) =>
        field === heading ? (
          <th key={field.name} scope="row" role="rowheader" data-label={field.label}>
            <button type="button" class="link" onClick={() => on.onOpen(record)}>
              <span class="value">
                <bdi>{cellText(field.shape, record.data[field.name]) || name}</bdi>
              </span>
            </button>
          </th>
        ) : (
          <td key={field.name} role="cell" data-label={field.label} class={classOf(field)}>
            <Cell site={site} field={field} value={record.data[field.name]} />
          </td>
        ),
      )}
      <td role="cell" data-label="Changed">
        <Age of={record.updatedAt} />
      </td>
      {mayWrite && (
        <td class="actions" role="cell">
          <IconButton isSmall icon="edit" label={`Edit ${name}`} onClick={() => on.onOpen(record)} />
          <Menu
            isSmall
            label={`Actions for ${name}`}
            items={[
              { label: 'Duplicate', icon: 'copy', run: () => on.onDuplicate(record) },
              { label: 'Delete', icon: 'delete', isRisky: true, run: () => on.onDelete(record) },
            ]}
          />
        </td>
      )}
    </tr>
  )
}

function Cell({ site, field, value }: { site: Site; field: Field; value: unknown }) {
  if (field.shape.kind === 'picture' && typeof value === 'string') return <SitePicture site={site} address={value} />
  const text = cellText(field.shape, value)
  // A card leaves out what is empty.
  if (text === '') return null
  return (
    <span class="value" title={text}>
      <bdi>{text}</bdi>
    </span>
  )
}

function classOf({ shape }: Field): string | undefined {
  return shape.kind === 'number' ? 'number' : undefined
}
