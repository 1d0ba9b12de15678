// Makes the schema that a model sees from the one that calls are checked against. It has one type at each place, because some clients refuse
// a whole list of tools for one list of types. It has no bounds and patterns: a model pays for each on every turn, and a refusal names them.
// It has every field, because some hosts let a model write no other. That something is off unless it is asked for is not said.

import type { JSONObject, JSONValue } from '@modelcontextprotocol/server'

/** Keywords that say what is refused, with values that are no schemas. */
const CHECKED = new Set([
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'pattern',
  'const',
])

export function asSeen(schema: JSONObject): JSONObject {
  return JSON.parse(JSON.stringify(schema, seenValue)) as JSONObject
}

function seenValue(name: string, value: JSONValue): JSONValue | undefined {
  if (isAboutOthers(name, value)) return undefined
  if (name === 'default' && value === false) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return CHECKED.has(name) || (name === 'format' && value === 'uuid') ? undefined : value
  return oneType(value)
}

/** Whether the keyword says only whether an object may have other fields. */
function isAboutOthers(name: string, value: JSONValue): boolean {
  return name === 'additionalProperties'
    ? typeof value === 'boolean'
    : name === 'properties' && Object.keys(value ?? {}).length === 0
}

/** Gives a schema one type. A choice is a text, whose words say what it may be; a choice of objects has the fields of all. */
function oneType(schema: JSONObject): JSONObject {
  const { anyOf, oneOf, type, ...rest } = schema
  if (Array.isArray(oneOf)) {
    const fields = (oneOf as { properties: JSONObject }[]).map(({ properties }) => properties)
    return { type: 'object', properties: Object.assign({}, ...fields) as JSONObject, required: rest['required'] ?? [] }
  }
  if (Array.isArray(anyOf)) {
    const description = (anyOf as JSONObject[]).flatMap((choice) => choice['description'] ?? []).at(-1)
    return { type: 'string', ...(description !== undefined && { description }), ...rest }
  }
  if (Array.isArray(type)) return { type: type.find((one) => one !== 'null') ?? 'object', ...rest }
  return Array.isArray(rest['enum']) && type === undefined ? { type: 'string', ...rest } : schema
}
