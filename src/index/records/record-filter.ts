// Filters on records as SQL. Values are always bound; a field becomes a bound JSON path. A missing or null field equals
// nothing, so it differs (`ne`) from everything.

import { ServiceError } from '../../model/errors.js'
import { fieldTypeOf, jsonPathOf } from './field-type.js'
import { instantOf } from './instant.js'
import type { FieldFilter, FilterOperator } from '../tables/rows.js'
import { foldedText } from '../tables/sort-key.js'
import { type Condition, storable } from '../tables/sql.js'
import { isKept } from '../../texts/parse-json.js'

const MAX_FILTERS = 20
const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Returns the conditions. Throws `invalid_query` for a field that the schema rules out and for a value not of the field's type. */
export function filterConditions(filters: readonly FieldFilter[], schema: object | null): Condition[] {
  if (filters.length > MAX_FILTERS) throw new ServiceError('invalid_query', `At most ${MAX_FILTERS} filters.`)
  return filters.map((filter) => filterCondition(filter, schema))
}

function filterCondition(filter: FieldFilter, schema: object | null): Condition {
  const path = jsonPathOf(filter.field)
  const type = fieldTypeOf(schema, filter.field)
  if (filter.op === 'contains') {
    if (type !== 'text' && type !== 'instant') refuse(filter, 'contains is for texts and lists')
    return contains(path, filter.value)
  }
  if (filter.op === 'ne') {
    const equal = comparison({ ...filter, op: 'eq' }, type, path, '=')
    return { text: `(${equal.text}) IS NOT TRUE`, values: equal.values }
  }
  return comparison(filter, type, path, COMPARISONS[filter.op])
}

function comparison(
  filter: FieldFilter,
  type: ReturnType<typeof fieldTypeOf>,
  path: string,
  sign: (typeof COMPARISONS)[Exclude<FilterOperator, 'ne' | 'contains'>],
): Condition {
  const instant = type === 'instant' ? instantOf(filter.value) : undefined
  if (instant !== undefined) return { text: `json_extract(instants, ?) ${sign} ?`, values: [path, instant] }
  // A part of a time, as `2026-11`, is compared as text.
  if (type === 'text' || type === 'instant') {
    const { text, values } = textValue('fields', path)
    return { text: `${text} ${sign} ?`, values: [...values, storable(filter.value)] }
  }
  const types = type === 'number' ? "'integer', 'real'" : "'true', 'false'"
  const value = type === 'number' ? parseNumber(filter) : parseBoolean(filter)
  return {
    text: `json_type(fields, ?) IN (${types}) AND json_extract(fields, ?) ${sign} ?`,
    values: [path, path, value],
  }
}

/** Returns SQL for a value as text: texts as they are, others as JSON, null as NULL. `data` is SQL for the data. */
function textValue(data: string, path: string): Condition {
  return {
    text: `CASE json_type(${data}, ?) WHEN 'null' THEN NULL WHEN 'text' THEN json_extract(${data}, ?) ELSE ${data} -> ? END`,
    values: [path, path, path],
  }
}

/** Matches an element of a list, or a part of a text, without regard to case and accents. */
function contains(path: string, value: string): Condition {
  const data = 'coalesce(folded, fields)'
  const { text, values } = textValue(data, path)
  // Accents alone are in no folded text.
  const part = foldedText(value) || storable(value)
  return {
    text: `CASE json_type(fields, ?)
      WHEN 'array' THEN EXISTS (SELECT 1 FROM json_each(${data}, ?) AS element WHERE lower(CAST(element.atom AS TEXT)) = ?)
      ELSE instr(lower(${text}), ?) > 0 END`,
    values: [path, path, part, ...values, part],
  }
}

/** A number of JSON (RFC 8259 §6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Takes the numbers that a record can have: a body is parsed by the same rules. */
function parseNumber(filter: FieldFilter): number {
  if (!NUMBER.test(filter.value)) refuse(filter, 'its value must be a number as in JSON, such as 10 or -1.5')
  if (!isKept(filter.value)) refuse(filter, 'its value would be rounded, and no record can have such a number')
  return Number(filter.value)
}

function parseBoolean(filter: FieldFilter): number {
  if (filter.value !== 'true' && filter.value !== 'false') refuse(filter, 'its value must be true or false')
  return filter.value === 'true' ? 1 : 0
}

function refuse(filter: FieldFilter, reason: string): never {
  throw new ServiceError('invalid_query', `The filter on "${filter.field}" cannot work: ${reason}.`, {
    field: filter.field,
    op: filter.op,
    value: filter.value,
  })
}
