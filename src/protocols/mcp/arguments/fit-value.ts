// Corrects values whose type is wrong, if they can mean only one thing. Such are a number as text or the reverse, an array or object as
// JSON text, one entry in place of a list, and null.

/** The part of a JSON Schema that matters here. */
export interface ShapeSchema {
  type?: unknown
  anyOf?: unknown
  pattern?: unknown
  items?: unknown
  properties?: unknown
  required?: unknown
}

/** Any longer one may be the id of a commit. */
const SHORT_NUMBER = /^[1-9][0-9]{0,9}$/

export function fitValue(value: unknown, schema: ShapeSchema | undefined): unknown {
  const types = typesOf(schema)
  if (schema === undefined || types.size === 0) return value
  // A number fits a pattern, such as that of a version's name; a number is never html.
  if (typeof value === 'number' && types.has('string') && schema.pattern !== undefined) return String(value)
  // A schema has one type where a model sees it, so a number beside words comes as text.
  if (typeof value === 'string' && types.has('integer') && SHORT_NUMBER.test(value)) return Number(value)
  if (typeof value === 'string' && !types.has('string')) {
    const parsed = parseText(value, types)
    const isEntry = parsed === value && types.has('array') && typesOf(schema.items as ShapeSchema).has('string')
    return isEntry ? [value] : fitParts(parsed, schema, types)
  }
  return fitParts(value, schema, types)
}

/** Whether null is a value here, and not nothing. */
export function takesNull(schema: ShapeSchema | undefined): boolean {
  return typesOf(schema).has('null')
}

function typesOf(schema: ShapeSchema | undefined): Set<unknown> {
  const { type, anyOf } = schema ?? {}
  if (Array.isArray(anyOf)) return new Set((anyOf as ShapeSchema[]).flatMap((choice) => [...typesOf(choice)]))
  return new Set(type === undefined ? [] : [type].flat())
}

/** Parses the text as JSON; returns the text itself unless the value has a wanted type. */
function parseText(text: string, types: ReadonlySet<unknown>): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return text
  }
  const isWanted =
    typeof parsed === 'number'
      ? types.has('number') || (types.has('integer') && Number.isInteger(parsed))
      : typeof parsed === 'boolean'
        ? types.has('boolean')
        : parsed !== null && typeof parsed === 'object' && (types.has('array') || types.has('object'))
  return isWanted ? parsed : text
}

function fitParts(value: unknown, schema: ShapeSchema, types: ReadonlySet<unknown>): unknown {
  if (value === null || typeof value !== 'object') return value
  if (types.has('array') && !types.has('object')) {
    const entries: unknown[] = Array.isArray(value) ? value : [value]
    return entries.map((entry) => fitValue(entry, schema.items as ShapeSchema | undefined))
  }
  const { properties, required } = schema as { properties?: Record<string, ShapeSchema>; required?: string[] }
  if (properties === undefined || Array.isArray(value)) return value
  const kept = Object.entries(value).filter(
    ([name, field]) =>
      field !== null || takesNull(properties[name]) || required?.includes(name) === true || !(name in properties),
  )
  return Object.fromEntries(kept.map(([name, field]) => [name, fitValue(field, properties[name])]))
}
