// Parses a query into an object: integers and booleans by the schema, `filter=field>=value` and `filter[field][op]=value` as a list of
// conditions.

import type { TObject } from 'typebox'
import { ServiceError } from '../../../model/errors.js'

/** `filter=year>=8`, for clients whose generators cannot write brackets. */
const FLAT_FILTER = /^([^<>=!~]+)(>=|<=|!=|>|<|=|~)(.*)$/s
const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '~': 'contains',
}
/** More than any endpoint takes: all its parameters and twenty filters. */
const MAX_PARAMETERS = 50

const FILTER = /^filter\[([^\]]+)\](?:\[([^\]]*)\])?$/

/**
 * Throws `invalid_query` for malformed escapes, repeated parameters, and more parameters than any endpoint takes. The schema refuses
 * unknown parameters later.
 */
export function parseQuery(query: string, schema: TObject | undefined): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null)
  const filters: { field: string; op: string; value: string }[] = []
  const pairs = query.split('&').filter((pair) => pair !== '')
  if (pairs.length > MAX_PARAMETERS) {
    throw new ServiceError('invalid_query', `The query has more than ${MAX_PARAMETERS} parameters.`)
  }
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const sent = at < 0 ? '' : decode(pair.slice(at + 1))
    const isFlat = name === 'filter' && schema !== undefined && 'filter' in schema.properties
    const { field, op, value } = isFlat ? readFlatFilter(sent) : readFilter(name, sent)
    if (field !== undefined) {
      if (filters.some((other) => other.field === field && other.op === op))
        throw invalid(name, 'is given more than once')
      filters.push({ field, op, value })
    } else if (name in input) throw invalid(name, 'is given more than once')
    else input[name] = typed(typeOf(schema, name), value)
  }
  if (filters.length > 0) {
    input['filter'] = filters
  }
  return input
}

function readFilter(name: string, value: string) {
  const [, field, op = 'eq'] = FILTER.exec(name) ?? []
  return { field, op, value }
}

function readFlatFilter(text: string) {
  const [, field, sign = '', value = ''] = FLAT_FILTER.exec(text) ?? []
  if (field === undefined)
    throw invalid('filter', 'must be a field, an operator (= != > >= < <= ~) and a value: year>=8')
  return { field, op: OPERATORS[sign] ?? 'eq', value }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid(text, 'is not valid percent-encoding')
  }
}

/** Returns the typed value. Text that is not an integer or boolean stays text; the schema then refuses it. */
function typed(type: string | undefined, value: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value
}

function typeOf(schema: TObject | undefined, name: string): string | undefined {
  const properties: Record<string, unknown> = schema?.properties ?? {}
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  return (property as { type?: string } | undefined)?.type
}

function invalid(name: string, message: string): ServiceError {
  return new ServiceError('invalid_query', `The query parameter "${name}" ${message}.`, [
    { field: `/${name}`, message },
  ])
}
