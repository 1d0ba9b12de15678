// Parses a query into an object: integers and booleans by the schema, `filter[field][op]=value` as a list of conditions.

import type { TObject } from 'typebox'
import { ServiceError } from '../../model/errors.js'

const FILTER = /^filter\[([^\]]+)\](?:\[([^\]]*)\])?$/

/** Throws `invalid_query` for malformed escapes and repeated parameters. Unknown parameters are refused by the schema later. */
export function parseQuery(query: string, schema: TObject | undefined): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null)
  const filters: { field: string; op: string; value: string }[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    const [, field, op = 'eq'] = FILTER.exec(name) ?? []
    if (field !== undefined) {
      if (filters.some((other) => other.field === field && other.op === op))
        throw invalid(name, 'is given more than once')
      filters.push({ field, op, value })
    } else if (name in input) throw invalid(name, 'is given more than once')
    else input[name] = typed(typeOf(schema, name), value)
  }
  if (filters.length > 0) {
    if ('filter' in input) throw invalid('filter', 'is given more than once')
    input['filter'] = filters
  }
  return input
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid(text, 'is not valid percent-encoding')
  }
}

/** Text that is not an integer or boolean stays text; the schema then refuses it. */
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
