// Records as a table of text: one column for each field, with dots in the names of fields within groups.

import { problemsOf } from '../fields/check.js'
import type { Field, JsonObject, Path, Shape } from '../fields/field.js'
import { valueAt, withValueAt } from '../fields/values.js'
import { fromCell, toCell } from './csv-cells.js'
import { CsvFault, readCsv, writeCsv } from './csv-text.js'

interface Column {
  path: Path
  shape: Shape
  label: string
}

export interface ReadRecord {
  line: number
  data: JsonObject
}

export interface LineProblem {
  line: number
  message: string
}

export interface ReadTable {
  records: readonly ReadRecord[]
  problems: readonly LineProblem[]
}

/** Reads a table whose first line names the fields, by their names or their labels. Other names become fields too. */
export function readRecords(text: string, fields: readonly Field[]): ReadTable {
  let rows
  try {
    rows = readCsv(text)
  } catch (error) {
    if (error instanceof CsvFault) return { records: [], problems: [{ line: 1, message: error.message }] }
    throw error
  }
  const [header, ...others] = rows
  if (header === undefined) return { records: [], problems: [{ line: 1, message: 'The file is empty.' }] }
  const known = columnsOf(fields)
  const columns = header.cells.map((name) => columnFor(name.trim(), known))
  const records: ReadRecord[] = []
  const problems: LineProblem[] = []
  for (const { line, cells } of others) {
    if (cells.length > columns.length) {
      problems.push({ line, message: `It has ${cells.length} cells; the first line has ${columns.length}.` })
      continue
    }
    const data = recordOf(cells, columns)
    const found = Object.entries(problemsOf(fields, data))
    for (const [pointer, message] of found) problems.push({ line, message: `${pointer.slice(1)}: ${message}` })
    if (found.length === 0) records.push({ line, data })
  }
  return { records, problems }
}

/** Writes the fields first, then what else the records have. */
export function writeRecords(records: readonly JsonObject[], fields: readonly Field[]): string {
  const known = columnsOf(fields).map(({ path }) => path)
  const names = new Set(fields.map(({ name }) => name))
  const more = [...new Set(records.flatMap((data) => Object.keys(data)))].filter((name) => !names.has(name))
  const paths = [...known, ...more.map((name) => [name])]
  const rows = records.map((data) => paths.map((path) => toCell(valueAt(data, path))))
  return writeCsv([paths.map((path) => path.join('.')), ...rows])
}

function columnsOf(fields: readonly Field[], around: Path = []): Column[] {
  return fields.flatMap(({ name, label, shape }) => {
    const path = [...around, name]
    return shape.kind === 'group' ? columnsOf(shape.fields, path) : [{ path, shape, label }]
  })
}

function columnFor(name: string, known: readonly Column[]): Column | undefined {
  if (name === '') return undefined
  const isLabel = ({ label }: Column) => label.toLowerCase() === name.toLowerCase()
  const found = known.find(({ path }) => path.join('.') === name) ?? known.find(isLabel)
  return found ?? { path: [name], shape: { kind: 'text' }, label: name }
}

function recordOf(cells: readonly string[], columns: readonly (Column | undefined)[]): JsonObject {
  let data: JsonObject = {}
  for (const [at, column] of columns.entries()) {
    const value = column && fromCell(column.shape, cells[at] ?? '')
    if (column !== undefined && value !== undefined) data = withValueAt(data, column.path, value)
  }
  return data
}
