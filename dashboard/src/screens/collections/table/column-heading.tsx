// The heading of a column, which sorts the table.

import { Icon } from '../../../parts/icons.js'
import type { Field } from '../fields/field.js'
import { canSort } from './conditions.js'

interface ColumnHeadingProps {
  field: Field
  /** The name of a field, with `-` before it for the descending order; '' for none. */
  sort: string
  onSort: (sort: string) => void
}

/** A click sorts upwards, a second one downwards, a third one not at all. */
export function ColumnHeading({ field, sort, onSort }: ColumnHeadingProps) {
  const { name, label } = field
  if (!canSort(field))
    return (
      <th scope="col" role="columnheader">
        {label}
      </th>
    )
  const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const next = order === 'ascending' ? `-${name}` : order === 'descending' ? '' : name
  return (
    <th scope="col" role="columnheader" aria-sort={order ?? 'none'}>
      <button type="button" class="quiet small sort" onClick={() => onSort(next)}>
        {label}
        {order && <Icon name={order === 'ascending' ? 'up' : 'down'} />}
      </button>
    </th>
  )
}
