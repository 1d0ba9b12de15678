// Records as a table of their most common fields.

import type { StoredRecord } from '../../api/client.js'
import { Age } from '../../parts/age.js'
import { useMay } from '../../parts/allowed.js'
import { DataTable } from '../../parts/data-table.js'

const MAX_COLUMNS = 6

interface RecordTableProps {
  records: readonly StoredRecord[]
  onEdit: (record: StoredRecord) => void
}

export function RecordTable({ records, onEdit }: RecordTableProps) {
  const columns = commonFields(records)
  const verb = useMay()('write') ? 'Edit' : 'Show'
  const rows = records.map((record) => ({
    key: record.id,
    cells: [
      ...columns.map((name) => <span class="value">{textOf(record.data[name])}</span>),
      <Age of={record.updatedAt} />,
    ],
    actions: (
      <button type="button" aria-label={`${verb} record ${record.id}`} onClick={() => onEdit(record)}>
        {verb}
      </button>
    ),
  }))
  return <DataTable label="Records" columns={[...columns, 'Changed']} rows={rows} />
}

/** Returns the fields that most records have, in the order of their first appearance. */
function commonFields(records: readonly StoredRecord[]): string[] {
  const counts = new Map<string, number>()
  for (const { data } of records) {
    for (const name of Object.keys(data)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const chosen = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, MAX_COLUMNS)
  return [...counts.keys()].filter((name) => chosen.some(([each]) => each === name))
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
