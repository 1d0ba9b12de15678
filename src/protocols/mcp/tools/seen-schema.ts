// Makes the schema that a model sees from the one that calls are checked against. It has one type at each place, because some clients refuse
// a whole list of tools for one list of types. It has no bounds and patterns: a model pays for each on every turn, and a refusal names them.

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
])

export function asSeen(schema: JSONObject): JSONObject {
  return JSON.parse(JSON.stringify(schema, seenValue)) as JSONObject
}

function seenValue(name: string, value: JSONValue): JSONValue | undefined {
  if (isOpen(name, value)) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return CHECKED.has(name) || (name === 'format' && value === 'uuid') ? undefined : value
  return oneType(value)
}

/** Whether the keyword says only that an object may have any fields. */
function isOpen(name: string, value: JSONValue): boolean {
  return name === 'additionalProperties'
    ? value === true
    : name === 'properties' && Object.keys(value ?? {}).length === 0
}

/** Gives a schema one type. A choice is a text, whose words say what it may be. */
function oneType(schema: JSONObject): JSONObject {
  const { anyOf, type, ...rest } = schema
  if (Array.isArray(anyOf)) {
    const description = (anyOf as JSONObject[]).flatMap((choice) => choice['description'] ?? []).at(-1)
    return { type: 'string', ...(description !== undefined && { description }), ...rest }
  }
  if (Array.isArray(type)) return { type: type.find((one) => one !== 'null') ?? 'object', ...rest }
  return Array.isArray(rest['enum']) && type === undefined ? { type: 'string', ...rest } : schema
}
