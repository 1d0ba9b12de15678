// Saves the records of the table as a file of the person's computer.

import { type Collection, type Site, siteApi, type StoredRecord } from '../../../api/client.js'
import { readAll } from '../../../api/use-list.js'
import type { Field } from '../fields/field.js'
import { writeRecords } from './csv-records.js'

const SLICE = 1000
/** More would not fit into the memory of a tab. */
const MAX_RECORDS = 100_000

/** Returns how many records the file has. */
export async function exportCsv(site: Site, { id, name }: Collection, fields: readonly Field[]): Promise<number> {
  const { entries } = await readAll<StoredRecord>(
    (cursor) => {
      const params = { path: { id }, query: { limit: SLICE, ...cursor } }
      return siteApi(site).GET('/collections/{id}/records', { params })
    },
    { max: MAX_RECORDS, onSlice: () => undefined },
  )
  const text = writeRecords(
    entries.map(({ data }) => data),
    fields,
  )
  // Spreadsheets take a file for UTF-8 only if it begins with this mark.
  save(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
  return entries.length
}

function save(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
